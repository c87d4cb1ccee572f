import { PassThrough } from 'node:stream';
import { finished } from 'node:stream/promises';
import { describe, expect, it } from 'vitest';
import { requestsSent } from './sent-requests.js';

const call = (text: string): string =>
  JSON.stringify({ method: 'tools/call', params: { text }, jsonrpc: '2.0', id: 'mine' });

const found = async (chunks: readonly string[], isWhole = true) => {
  const body = new PassThrough();
  const requests = requestsSent(body);
  const other = new PassThrough();
  body.pipe(other).resume();
  for (const chunk of chunks) body.write(chunk);
  if (!isWhole) return requests();
  body.end();
  await finished(other);
  return requests();
};

describe('the requests in a body that is passed on', () => {
  it('are known once it was sent', async () => {
    const text = call('x'.repeat(1000));
    expect(await found([text.slice(0, 10), text.slice(10, 900), text.slice(900)])).toEqual({
      ids: ['mine'],
      isBatch: false,
    });
  });

  it('are not known before, nor in a body that is too large to be read', async () => {
    expect(await found([call('x')], false)).toBeUndefined();
    const half = 'x'.repeat(128 * 1024);
    expect(await found([call(half + half)])).toBeUndefined();
    expect(await found([call(half)])).toBeDefined();
  });
});
