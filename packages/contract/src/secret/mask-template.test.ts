import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maskTemplate } from './mask-template.js';

describe('a value with variables', () => {
  it.each([
    ['{{ REGION | eu }}', '{{ REGION | eu }}'],
    ['${TOKEN}', '${TOKEN}'],
    ['Bearer {{ TOKEN }}', 'Bearer {{ TOKEN }}'],
    ['{{ USER }}:{{ PASSWORD }}', '{{ USER }}:{{ PASSWORD }}'],
    ['{{ API_KEY | sk-live-1234 }}', '{{ API_KEY | •••• }}'],
    ['sk-live-{{ TAIL }}', '••••{{ TAIL }}'],
    ['Bearer abc{{ TAIL }}x', '••••{{ TAIL }}••••'],
    ['0123456789abcdef', '••••cdef'],
    ['{{ not a name }}', '••••e }}'],
  ])('%s is shown as %s', (value, shown) => {
    expect(maskTemplate(value)).toBe(shown);
  });

  it('never shows a literal secret beside a variable', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z0-9+/]{8,40}$/u), fc.boolean(), (secret, before) => {
        expect(maskTemplate(before ? `${secret}{{ A }}` : `{{ A }}${secret}`)).not.toContain(secret);
      }),
    );
  });
});
