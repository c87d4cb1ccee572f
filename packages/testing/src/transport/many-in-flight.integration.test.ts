import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fakeServer } from '../server/fake-server.js';
import { rawHttpClient } from '../raw/raw-http-client.js';
import { rawLineClient } from '../raw/raw-line-client.js';

const CALLS = 20;
const warnings: string[] = [];
const note = (warning: Error): void => void warnings.push(warning.name);

beforeEach(() => void process.on('warning', note));
afterEach(() => {
  process.off('warning', note);
  warnings.length = 0;
});

test('many calls in flight are no leak, over stdio', async () => {
  const server = fakeServer({ tools: ['hang'] });
  const client = rawLineClient(server.connectStdio());
  await client.initialize();
  for (let call = 0; call < CALLS; call += 1) client.send('tools/call', { name: 'hang' });
  await server.log.arrival('tools/call', CALLS);
  await turn();
  expect(warnings).toEqual([]);
  await server.close();
});

test('many calls in flight are no leak, over HTTP', async () => {
  const server = fakeServer({ tools: ['hang'] });
  const client = rawHttpClient((await server.listenHttp()).url);
  await client.initialize();
  const calls = Array.from({ length: CALLS }, () => client.request('tools/call', { name: 'hang' }).catch(() => null));
  await server.log.arrival('tools/call', CALLS);
  await turn();
  expect(warnings).toEqual([]);
  await server.close();
  await Promise.all(calls);
});
