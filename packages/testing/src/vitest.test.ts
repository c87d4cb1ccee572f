import { expect, test } from 'vitest';
import './vitest.js';
import { fakeServer } from './server/fake-server.js';
import { rawLineClient } from './raw/raw-line-client.js';

test('the matchers see what a fake received and executed', async () => {
  await using server = fakeServer();
  const link = server.connectStdio();
  const client = rawLineClient(link);
  await client.initialize();
  const called = await client.request('tools/call', { name: 'echo', arguments: { text: 'hi' } });
  const listed = await client.request('tools/list');
  expect(server).toHaveReceivedMethods(['initialize', 'notifications/initialized', 'tools/call', 'tools/list']);
  expect(server).not.toHaveReceivedMethods(['initialize']);
  expect(server).toHaveReceived('tools/call');
  expect(server).toHaveReceived('initialize', 1);
  expect(server).not.toHaveReceived('ping');
  expect(server).toHaveExecuted('echo', 1);
  expect(server).not.toHaveExecuted('add');
  expect(server).not.toHaveNoOpenConnections();
  expect(called).toBeValidJsonRpc();
  expect(called?.result).toHaveText('hi');
  expect(called?.result).not.toHaveText(/bye/);
  expect(called?.result).not.toBeToolError();
  expect(listed?.result).toHaveTool('add', { description: 'Adds two numbers.' });
  expect(listed?.result?.['tools']).not.toHaveTool('subtract');
  expect(listed?.result).not.toHaveTool('add', { description: 'Something else.' });
  await link.close();
  expect(server).toHaveNoOpenConnections();
});

test('an error of a tool is told by its flag and its text', () => {
  const failed = { isError: true, content: [{ type: 'text', text: 'no such file' }] };
  expect(failed).toBeToolError();
  expect(failed).toBeToolError(/no such/);
  expect(failed).not.toBeToolError('something else');
});

test.each([
  ['not json', 'it is not JSON'],
  ['[]', 'must be an object'],
  [{ jsonrpc: '1.0' }, 'jsonrpc must be'],
  [{ jsonrpc: '2.0', method: 1 }, 'method must be a string'],
  [{ jsonrpc: '2.0', id: null, method: 'x' }, 'id must be'],
  [{ jsonrpc: '2.0', id: 1, method: 'x', params: [] }, 'params must be'],
  [{ jsonrpc: '2.0', id: 1, method: 'x', result: {} }, 'neither result nor error'],
  [{ jsonrpc: '2.0', id: 1 }, 'either result or error'],
  [{ jsonrpc: '2.0', result: {} }, 'must carry the id'],
  [{ jsonrpc: '2.0', id: 1, result: 7 }, 'result must be'],
  [{ jsonrpc: '2.0', id: 1, error: 7 }, 'error must be'],
  [{ jsonrpc: '2.0', id: 1, error: { code: 1.5, message: '' } }, 'error.code'],
  [{ jsonrpc: '2.0', id: 1, error: { code: 1 } }, 'error.message'],
])('%j is not JSON-RPC and the matcher says why', (message, why) => {
  expect(message).not.toBeValidJsonRpc();
  expect(() => expect(message).toBeValidJsonRpc()).toThrow(why);
});

test('a matcher that fails names what it saw', async () => {
  await using server = fakeServer();
  expect(() => expect(server).toHaveReceived('ping', 2)).toThrow('to have received ping 2 times; it did 0 times');
  expect(() => expect(server).toHaveExecuted('echo', 1)).toThrow('to have executed echo 1 times; it did 0 times');
  expect(() => expect([]).toHaveTool('echo')).toThrow('to have a tool echo; it has none');
  expect(() => expect('x').toHaveReceived('ping')).toThrow('wants a FakeServer');
  expect(() => expect('x').toHaveTool('ping')).toThrow('wants a list of tools');
  expect(() => expect({}).toHaveText('ping')).toThrow('wants the result of tools/call');
});
