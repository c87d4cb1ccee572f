import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readLargeBody } from './read-large-body.js';
import { readMessages } from './read-messages.js';

const MIB = 1024 * 1024;

const read = async (body: string | Buffer) => {
  let turns = 0;
  const value = await readLargeBody(Buffer.from(body as string), (work) => {
    turns += 1;
    return Promise.resolve().then(work);
  });
  return { value, turns };
};

const call = (args: unknown): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'x', arguments: args } });

describe('readLargeBody', () => {
  it('reads what JSON.parse reads, wherever long strings are', async () => {
    const text = fc
      .tuple(
        fc.string({ unit: 'binary', maxLength: 3 }),
        fc.constantFrom('x', 'ä', '€', '🎈', '"', '\\n'),
        fc.nat(70_000),
      )
      .map(([before, unit, times]) => before + unit.repeat(times));
    const args = fc.dictionary(fc.oneof(fc.string(), fc.constant('__proto__')), fc.oneof(text, fc.jsonValue()), {
      maxKeys: 4,
    });
    await fc.assert(
      fc.asyncProperty(args, async (value) => {
        const body = call(value);
        expect((await read(body)).value).toEqual(readMessages(body));
      }),
      { numRuns: 30 },
    );
  });

  it('decodes a long string in pieces, and never between the bytes of a character', async () => {
    const body = call({ a: `x${'€'.repeat(MIB)}`, b: 'y'.repeat(MIB / 2), __proto__: null });
    const { value, turns } = await read(body);
    expect(value).toEqual(readMessages(body));
    // One to look, four for the first string, one for the second, one to parse the rest.
    expect(turns).toBe(7);
  });

  it('keeps a member that is named __proto__ as it is', async () => {
    const body = call({}).replace('{}', `{"__proto__":"${'x'.repeat(MIB)}"}`);
    expect(JSON.stringify((await read(body)).value)).toBe(JSON.stringify(readMessages(body)));
  });

  it('parses a body that has much beside its long strings at once', async () => {
    const body = call({ list: Array.from({ length: 50_000 }, (_, index) => index), a: 'x'.repeat(MIB) });
    expect(await read(body)).toEqual({ value: readMessages(body), turns: 3 });
  });

  it.each([
    ['no UTF-8', Buffer.concat([Buffer.from('{"a":"'), Buffer.alloc(MIB, 0xff), Buffer.from('"}')])],
    ['no JSON after a long string', `{"a":"${'x'.repeat(MIB)}"`],
    ['too deep after a long string', `{"a":"${'x'.repeat(MIB)}","b":${'['.repeat(100)}`],
  ])('refuses %s', async (_, body) => {
    await expect(read(body)).rejects.toMatchObject({ code: 'INVALID_JSON' });
  });
});
