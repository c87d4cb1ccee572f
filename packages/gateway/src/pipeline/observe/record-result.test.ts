import { expect, it } from 'vitest';
import { recordResult } from './record-result.js';

const recorded = (result: unknown) =>
  JSON.parse(recordResult(result)) as { readonly cut: boolean; readonly value: unknown };

it('keeps a small result as it is', () => {
  const result = { content: [{ type: 'text', text: 'Hi' }], structuredContent: { count: 2 }, isError: false };
  expect(recorded(result)).toEqual({ cut: false, value: result });
  expect(recorded(undefined)).toEqual({ cut: false, value: null });
});

it('hides values under telling names, and counts media', () => {
  const result = {
    structuredContent: { password: 'hunter2', pin: 1, token: 12_345, deep: [{ api_key: 'abc' }] },
    content: [{ type: 'image', data: 'A'.repeat(5000), mimeType: 'image/png' }],
  };
  const text = recordResult(result);
  for (const secret of ['hunter2', '12345', 'abc', 'AAAA']) expect(text).not.toContain(secret);
  expect(text).toContain('5000 characters of data');
  expect(text).toContain('"pin":1');
});

it('cuts what is long, and stays valid JSON of bounded size', () => {
  expect(JSON.stringify(recorded({ text: 'x'.repeat(3000) }).value)).toContain('(3000 characters)');
  const many = recorded({
    content: Array.from({ length: 100_000 }, (_, index) => ({ type: 'text', text: `line ${index}` })),
  });
  expect(many.cut).toBe(true);
  expect(JSON.stringify(many).length).toBeLessThan(20_000);
  const wide = recorded(
    Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`name ${index}`, 'x'.repeat(100)])),
  );
  expect(wide.cut).toBe(true);
  expect(JSON.stringify(wide).length).toBeLessThan(10_000);
});

it.each([
  ['a long list of numbers', { structuredContent: { list: Array.from({ length: 1_000_000 }, () => 0) } }],
  ['a long list of nothing', { structuredContent: { list: Array.from({ length: 1_000_000 }, () => null) } }],
  ['a long name', { structuredContent: { ['x'.repeat(1_000_000)]: 1 } }],
  ['many lists', { structuredContent: { list: Array.from({ length: 100_000 }, () => [[]]) } }],
])('stays small for %s, and reads no more of it than it keeps', (_, result) => {
  expect(recordResult(result).length).toBeLessThan(20_000);
});

it('hides what is below a telling name, names that end with one, and members in texts', () => {
  const secret = 'hunter2';
  const text = recordResult({
    structuredContent: { credentials: { user: secret }, tokens: 1, password: [secret], db_password: secret },
    content: [
      { type: 'text', text: JSON.stringify({ password: secret, githubToken: secret }) },
      { type: 'text', text: JSON.stringify({ padding: 'x'.repeat(1970), token: secret.repeat(100) }) },
    ],
  });
  expect(text).not.toContain(secret);
  expect(text).toContain('"tokens":1');
});
