import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasMoreItems, messageHead } from './outline.js';

const bytesOf = (text: string): Buffer => Buffer.from(text);

describe('hasMoreItems', () => {
  it('counts the items of any list', () => {
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue({ maxDepth: 3 }), { maxLength: 12 }),
        fc.integer({ min: 1, max: 12 }),
        (items, max) => {
          expect(hasMoreItems(bytesOf(JSON.stringify(items)), max, 20)).toBe(items.length > max);
        },
      ),
    );
  });

  it('reads nothing after the items that are too many', () => {
    expect(hasMoreItems(bytesOf(' [ {} , [1,2] , "," , this is no JSON'), 3, 9)).toBe(true);
  });

  it.each(['{"a":[1,2,3]}', '[1,2', '[1 2,3]', '[[[[1]]],2,3]', '', '"[1,2,3]"'])('is false for %s', (text) => {
    expect(hasMoreItems(bytesOf(text), 2, 3)).toBe(false);
  });
});

describe('messageHead', () => {
  const headOf = (text: string): readonly (string | undefined)[] => {
    const { id, method } = messageHead(bytesOf(text), 9);
    return [id, method].map((span) => span && text.slice(span.start, span.end));
  };

  it('finds the id and the method without a look at the parameters', () => {
    expect(headOf('{"jsonrpc":"2.0","id":7,"method":"initialize","params":{"a":')).toEqual(['7', '"initialize"']);
  });

  it('finds neither after the parameters', () => {
    expect(headOf('{"params":{},"id":7,"method":"initialize"}')).toEqual([undefined, undefined]);
  });

  it.each(['', '[]', '{', '{"id":', '{"id":nothing'])('finds nothing in %s', (text) => {
    expect(headOf(text)).toEqual([undefined, undefined]);
  });
});
