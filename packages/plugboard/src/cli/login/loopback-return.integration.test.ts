import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { listenForReturn } from './loopback-return.js';

const statusOf = async (port: string, target: string): Promise<string> => {
  const socket = connect(Number(port), '127.0.0.1');
  socket.write(`GET ${target} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n`);
  const [head] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return head.toString('latin1').slice(9, 12);
};

it('waits for the browser, whatever another program of the machine sends', async () => {
  const back = await listenForReturn();
  onTestFinished(() => back.close());
  const { port, pathname } = new URL(back.redirectUri);
  const query = back.query(new AbortController().signal);
  for (const target of ['//', '//:80/x', 'http://[/', '*', '/callback/other', `${pathname}x?code=1`]) {
    expect([target, await statusOf(port, target)]).toEqual([target, '404']);
  }
  expect(await statusOf(port, `${pathname}?code=1&state=2`)).toBe('200');
  expect(await query).toBe('?code=1&state=2');
});
