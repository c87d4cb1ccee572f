import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as ClientOfSdk1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpOfSdk1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { onTestFinished } from 'vitest';
import { hubCallWith } from '../../support/hub-call.js';

/** Calls a tool with a key of its own; rejects when nobody knows what came of it. */
export interface Caller {
  readonly name: string;
  readonly call: (tool: string, key: string) => Promise<unknown>;
  /** What must stay the same while replicas come and go. */
  readonly session: () => string | undefined;
}

const CALL_MS = 60_000;

const assertAnswered = (answer: unknown, key: string): void => {
  if (!JSON.stringify(answer).includes(key)) throw new Error(`not answered: ${JSON.stringify(answer)}`);
};

const headersOf = (key: string) => ({ requestInit: { headers: { authorization: `Bearer ${key}` } } });

/** Comes back as often as it takes. */
const RECONNECT = {
  initialReconnectionDelay: 100,
  maxReconnectionDelay: 500,
  reconnectionDelayGrowFactor: 1.2,
  maxRetries: 1000,
};

/** A client of SDK 1.x, with a session. */
export const legacyCaller = async (name: string, url: string, adminKey: string): Promise<Caller> => {
  const transport = new HttpOfSdk1(new URL(`${url}/mcp`), { ...headersOf(adminKey), reconnectionOptions: RECONNECT });
  const client = new ClientOfSdk1({ name, version: '1' });
  client.onerror = () => undefined;
  await client.connect(transport);
  onTestFinished(() => client.close());
  return {
    name,
    session: () => transport.sessionId,
    call: async (tool, key) =>
      assertAnswered(await client.callTool({ name: tool, arguments: { key } }, undefined, { timeout: CALL_MS }), key),
  };
};

/** A client of SDK 2.x in the modern era, without one. */
export const modernCaller = async (name: string, url: string, adminKey: string): Promise<Caller> => {
  const client = new Client({ name, version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  client.onerror = () => undefined;
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), headersOf(adminKey)));
  onTestFinished(() => client.close());
  return {
    name,
    session: () => undefined,
    call: async (tool, key) =>
      assertAnswered(await client.callTool({ name: tool, arguments: { key } }, { timeout: CALL_MS }), key),
  };
};

/** A script that calls over plain REST. */
export const plainCaller = (name: string, url: string, adminKey: string): Caller => ({
  name,
  session: () => undefined,
  call: async (tool, key) => {
    const [server, upstream] = tool.split('__');
    const path = `/servers/${server}/tools/${upstream}`;
    assertAnswered(await hubCallWith(url, adminKey)('POST', path, { key }), key);
  },
});
