import { PlugboardError, type Server, type ServerId } from '@plugboard/contract';
import type { Registry } from '../../registry.js';
import type { ServerFacts } from '../view/server-view.js';

/** The server of that name, or SERVER_NOT_FOUND. */
export const serverByName = async (registry: Registry, name: string): Promise<Server> => {
  const server = await registry.findServerByName(name);
  if (server !== undefined) return server;
  throw new PlugboardError('SERVER_NOT_FOUND', 'No server of that name is registered.', {
    hint: 'GET /v1/tools/mcp/servers lists the registered servers by name.',
  });
};

/** What is known of servers beside what is stored; the counts are taken once for all of them. */
export const factsFrom = (registry: Registry): ((id: ServerId) => ServerFacts) => {
  const counts = new Map(registry.snapshot().entries.map(({ server, tools }) => [server.id, tools.length]));
  return (id) => ({ status: registry.status(id), toolCount: counts.get(id) ?? 0 });
};
