import { describe, expect, it } from 'vitest';
import { PROFILE_IDS } from '../profile/registry.js';
import { providerVerdicts } from './provider-verdicts.js';

describe('providerVerdicts', () => {
  it('has one verdict for each provider and host', () => {
    const tool = { name: 'read', description: 'Reads.', inputSchema: { type: 'object', properties: {} } };
    expect(Object.keys(providerVerdicts(tool))).toEqual([...PROFILE_IDS]);
    expect(providerVerdicts(tool, ['anthropic'])).toEqual({ anthropic: { verdict: 'ok' } });
  });

  it('stays short however much there is to rewrite', () => {
    const optional = (index: number) => [`p${index}`, { type: 'string' }];
    const properties = Object.fromEntries(Array.from({ length: 60 }, (_, index) => optional(index)));
    const tool = { name: 'wide', description: 'Wide.', inputSchema: { type: 'object', properties } };
    const verdict = providerVerdicts(tool, ['openai-strict'])['openai-strict'];
    expect(verdict).toMatchObject({ verdict: 'rewritten' });
    const changes = verdict?.verdict === 'rewritten' ? verdict.changes : [];
    expect(changes).toHaveLength(21);
    expect(changes.at(-1)).toMatchObject({ rule: 'MORE', message: expect.stringMatching(/^There are \d+ more\.$/u) });
  });

  it('says why a tool is refused', () => {
    expect(providerVerdicts({ name: 'a', inputSchema: 7 }, ['openai'])['openai']).toMatchObject({
      verdict: 'rejected',
    });
  });
});
