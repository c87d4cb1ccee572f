import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contentsIn, promptMessages, shownResult } from './content-block.js';

const only = (block: unknown) => shownResult({ content: [block] }).blocks[0];

describe('the result of a tool', () => {
  it('is shown by its kinds', () => {
    expect(only({ type: 'text', text: 'a' })).toEqual({ kind: 'text', text: 'a' });
    expect(only({ type: 'image', mimeType: 'image/png', data: 'aGk=\n' })).toEqual({
      kind: 'image',
      type: 'image/png',
      source: 'data:image/png;base64,aGk=',
    });
    expect(only({ type: 'audio', mimeType: 'audio/wav', data: 'aGk=' })).toMatchObject({ kind: 'audio' });
    expect(only({ type: 'resource_link', uri: 'file:///a', name: 'A' })).toMatchObject({ kind: 'link', name: 'A' });
    expect(only({ type: 'resource', resource: { uri: 'x:/', text: 't' } })).toMatchObject({
      kind: 'resource',
      text: 't',
    });
    expect(shownResult({ isError: true, structuredContent: { a: 1 } })).toEqual({
      isError: true,
      blocks: [],
      structured: { a: 1 },
    });
  });

  it.each([
    { type: 'image', mimeType: 'text/html', data: 'aGk=' },
    { type: 'image', mimeType: 'image/png;x', data: 'aGk=' },
    { type: 'image', mimeType: 'image/png', data: '"><script>' },
    { type: 'audio', mimeType: 'image/png', data: 'aGk=' },
    { type: 'resource', resource: { blob: 'aGk=' } },
    { type: 'video' },
    null,
    7,
  ])('is shown as plain JSON when it is not what it says: %j', (block) => {
    expect(only(block)).toEqual({ kind: 'other', value: block });
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.anything(), (value) => void shownResult(value)));
    expect(shownResult(undefined).blocks).toEqual([]);
  });
});

describe('the contents of a resource', () => {
  it('are text, pictures and sound; everything else is shown as plain JSON', () => {
    const html = { uri: 'x:/', mimeType: 'text/html', blob: 'aGk=' };
    expect(
      contentsIn({
        contents: [
          { uri: 'a:/', text: 'a' },
          { uri: 'b:/', mimeType: 'image/png', blob: 'aGk=' },
          { uri: 'c:/', mimeType: 'audio/wav', blob: 'aGk=' },
          html,
          'rubbish',
        ],
      }).map(({ kind }) => kind),
    ).toEqual(['resource', 'image', 'audio', 'other', 'other']);
    expect(contentsIn(null)).toEqual([{ kind: 'other', value: null }]);
  });
});

describe('the messages of a prompt', () => {
  it('are shown by their kinds, whatever the server sends', () => {
    expect(
      promptMessages({ messages: [{ role: 'user', content: { type: 'text', text: 'a' } }, { content: 7 }, 'rubbish'] }),
    ).toEqual([
      { role: 'user', block: { kind: 'text', text: 'a' } },
      { role: 'unknown', block: { kind: 'other', value: 7 } },
      { role: 'unknown', block: { kind: 'other', value: 'rubbish' } },
    ]);
    expect(promptMessages({})).toEqual([{ role: 'unknown', block: { kind: 'other', value: {} } }]);
  });
});
