import type { AgentDefinitionInput } from '@plugboard/contract';
import { fakeServer, memoryNetwork, type FakeServer, type ToolSpec } from '@plugboard/testing';
import { type Dispatcher, Pool } from 'undici';
import { onTestFinished } from 'vitest';
import { createMcpToolsFromAgent, type CreateToolsOptions } from '../create-tools.js';
import type { AgentTools } from '../tool/agent-tools.js';

const network = memoryNetwork();

/** A server that only `createInMemory` reaches: HTTP as ever, but without sockets. */
export const serve = async (tools: readonly ToolSpec[]): Promise<{ server: FakeServer; url: string }> => {
  const server = fakeServer({ tools: [...tools] });
  onTestFinished(() => server.close());
  return { server, url: (await server.listenHttp({ network })).url };
};

const createDispatcher = ({ origin }: URL): Dispatcher =>
  new Pool(origin, {
    connect: ({ port }, done) => {
      const end = network.connect(Number(port));
      end.once('error', (error) => done(error, null));
      setImmediate(() => {
        // undici asks no more of a socket than a duplex stream can do.
        if (!end.destroyed) done(null, end as never);
      });
    },
  });

export const createInMemory = (agent: AgentDefinitionInput, options: CreateToolsOptions = {}): Promise<AgentTools> =>
  createMcpToolsFromAgent(agent, {
    ...options,
    client: (server) => ({ createDispatcher, ...options.client?.(server) }),
  });
