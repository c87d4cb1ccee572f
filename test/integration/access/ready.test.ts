import { expect, it, onTestFinished } from 'vitest';
import type { Agent, ApiKeyCreated, ReadyAnswer } from '../../../packages/contract/src/index.js';
import { hubCallWith } from '../../support/hub-call.js';
import { startRealHub } from '../../support/real-hub.js';

it('/ready tells strangers and agents that the hub is ready, and nothing of what it depends on', async () => {
  const hub = await startRealHub();
  onTestFinished(() => hub.close());
  const owner = hubCallWith(hub.url, hub.key);
  const read = async (key?: string): Promise<ReadyAnswer> =>
    (await hubCallWith(hub.url, key)('GET', '/ready')).json as ReadyAnswer;
  const config = { mcp_server_type: 'streamable_http', server_url: 'http://127.0.0.1:9/mcp' };
  await owner('POST', '/v1/mcp-servers', { server_name: 'payroll', config });
  await owner('POST', '/v1/services', { name: 'ledger', url: `${hub.url}/health` });
  // On a hub that is open to its machine, whoever is there may look.
  expect(await read()).toMatchObject({ servers: { payroll: {} }, services: { ledger: {} } });
  const { id } = (await owner('POST', '/v1/agents', { name: 'bot' })).json as Agent;
  const keyOf = async (more: object): Promise<string> =>
    ((await owner('POST', '/v1/keys', { name: 'k', ...more })).json as ApiKeyCreated).key;
  const [agent, viewer] = [await keyOf({ agent_id: id }), await keyOf({ role: 'viewer' })];
  expect(await read(viewer)).toMatchObject({ servers: { payroll: {} }, services: { ledger: {} } });
  for (const key of [undefined, agent]) {
    expect(await read(key)).toEqual({
      status: 'ready',
      store: 'ok',
      programs: {},
      servers: {},
      calls: {},
      services: {},
    });
  }
});
