import { Secret } from '@plugboard/contract';
import { expect, it } from 'vitest';
import { sampleServer } from '../test-support/catalogue.js';
import { RecordingClient } from '../test-support/recording-client.js';
import { agentHeader } from './agent-header.js';
import { UpstreamPool } from './upstream-pool.js';

const templated = sampleServer('a', 1, {
  config: {
    mcp_server_type: 'streamable_http',
    server_url: 'https://a.example/',
    auth_token: Secret.of('{{ API_KEY }}'),
  },
});
const fixed = sampleServer('b', 2);

it('makes a connection of its own for each agent whose variables decide how to connect', async () => {
  const made: (string | undefined)[] = [];
  const clients: RecordingClient[] = [];
  const pool = new UpstreamPool({
    idleMs: 1000,
    makeClient: (_server, { agent }) => {
      made.push(agent);
      const client = new RecordingClient();
      clients.push(client);
      return client;
    },
  });
  const ask = (server: typeof fixed, agent?: string) =>
    pool.use(server, (client) => client.request('x'), { principal: 'local', agent });
  await ask(templated, 'agent-1');
  await ask(templated, 'agent-1');
  await ask(templated, 'agent-2');
  await ask(templated);
  expect(made).toEqual(['agent-1', 'agent-2', undefined]);
  await ask(fixed, 'agent-1');
  await ask(fixed, 'agent-2');
  expect(made).toHaveLength(4);
  expect(pool.size).toBe(4);
  await pool.releaseAgent('agent-1');
  expect(pool.size).toBe(3);
  await ask(templated, 'agent-1');
  expect(made).toHaveLength(5);
  await pool.close();
});

it('makes a connection of its own for each caller whose login a server may ask for', async () => {
  const made: (string | undefined)[] = [];
  const pool = new UpstreamPool({
    idleMs: 1000,
    makeClient: (_server, { login }) => {
      made.push(login);
      return new RecordingClient();
    },
  });
  const open = sampleServer('c', 3, {
    config: { mcp_server_type: 'streamable_http', server_url: 'https://c.example/' },
  });
  const ask = (server: typeof fixed, ownLogin?: string) =>
    pool.use(server, (client) => client.request('x'), { principal: 'key-1', ownLogin });
  await ask(open, 'agent-1');
  await ask(open, 'agent-1');
  await ask(open, 'agent-2');
  await ask(open);
  expect(made).toEqual(['agent-1', 'agent-2', undefined]);
  await ask(templated, 'agent-1');
  await ask(templated, 'agent-2');
  expect(made).toHaveLength(4);
  await pool.releaseLogin(open.id, 'agent-1');
  expect(pool.size).toBe(3);
  await pool.releaseAgent('agent-2');
  expect(pool.size).toBe(2);
  await pool.close();
});

it('tells a server for which agent it is called', () => {
  expect(agentHeader('agent-1')).toEqual({ 'x-agent-id': 'agent-1' });
  expect(agentHeader(undefined)).toEqual({});
});
