import { expect, it } from 'vitest';
import { largeAnswerId } from './large-line.js';

const text = 'x'.repeat(600_000);
const idOf = (line: string): number | undefined => largeAnswerId(Buffer.from(line));

it('finds the id of a large answer where programs write it', () => {
  expect(idOf(`{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"${text}"}]}}`)).toBe(7);
  expect(idOf(`{"result":{"content":[{"type":"text","text":"${text}"}]},"jsonrpc":"2.0","id":8}`)).toBe(8);
  expect(idOf(`{ "jsonrpc": "2.0", "id": 9, "error": {"code":1,"message":"${text}"} } `)).toBe(9);
});

it('takes nothing else for an id', () => {
  expect(idOf('{"jsonrpc":"2.0","id":7,"result":{}}')).toBeUndefined();
  expect(idOf(`{"jsonrpc":"2.0","method":"a","params":{"text":"${text}","jsonrpc":"2.0","id":7}}`)).toBeUndefined();
  expect(idOf(`{"result":{"text":"${text},\\"jsonrpc\\":\\"2.0\\",\\"id\\":7}"}}`)).toBeUndefined();
  expect(idOf(`{"jsonrpc":"2.0","id":"7","result":"${text}"}`)).toBeUndefined();
  expect(idOf(`[{"jsonrpc":"2.0","id":7,"result":"${text}"}]`)).toBeUndefined();
});
