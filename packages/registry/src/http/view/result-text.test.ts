import { describe, expect, it } from 'vitest';
import { resultText } from './result-text.js';

describe('the text of a result', () => {
  it.each([
    ['one part', { content: [{ type: 'text', text: 'a' }] }, 'a'],
    [
      'parts one below the other',
      {
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
      'a\nb',
    ],
    [
      'an image by its kind',
      { content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }] },
      '[image: image/png]',
    ],
    ['a link by its address', { content: [{ type: 'resource_link', uri: 'file:///a' }] }, '[resource_link: file:///a]'],
    ['an embedded text', { content: [{ type: 'resource', resource: { uri: 'a', text: 'inside' } }] }, 'inside'],
    [
      'an embedded blob by its type',
      { content: [{ type: 'resource', resource: { uri: 'a', blob: 'AA' } }] },
      '[resource]',
    ],
    ['structured content without parts', { structuredContent: { a: 1 } }, '{"a":1}'],
    ['parts before structured content', { content: [{ type: 'text', text: 'a' }], structuredContent: 1 }, 'a'],
    ['nothing', {}, ''],
    ['no parts', { content: [] }, ''],
  ])('is that of %s', (_what, result, text) => {
    expect(resultText(result)).toBe(text);
  });
});
