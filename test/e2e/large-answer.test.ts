import { fakeServer } from '@plugboard/testing';
import { expect, it, onTestFinished } from 'vitest';
import { hubCall } from '../support/hub-call.js';
import { temporaryDirectory } from './cli-process.js';
import { startHubProcess } from './hub-process.js';

it('the built hub has the thread that reads large answers, and passes them on', async () => {
  const text = 'A line of a text.\n'.repeat(120_000);
  const server = fakeServer({ tools: [{ name: 'large', handler: () => ({ content: [{ type: 'text', text }] }) }] });
  onTestFinished(() => server.close());
  const { url } = await server.listenHttp();
  const hub = await startHubProcess(await temporaryDirectory());
  onTestFinished(() => hub.stop());
  const config = { mcp_server_type: 'streamable_http', server_url: url };
  await hubCall(hub.url, 'POST', '/v1/mcp-servers', { server_name: 'large', config });
  const { status, json } = await hubCall(hub.url, 'POST', '/servers/large/tools/large', {});
  expect(status).toBe(200);
  expect(json).toEqual({ content: [{ type: 'text', text }] });
});
