import { type CatalogueSnapshot, grantOf, PlugboardError, type Server } from '@plugboard/contract';
import type { Context } from 'hono';
import type { Registry } from '../../facade/registry.js';
import { decisionState } from '../../quarantine/quarantine.js';
import { serverNotFound } from '../../server/reachable.js';
import { principalOf } from '../endpoint/admission.js';
import type { ServerFacts } from '../view/server-view.js';

/** The server of that name, or SERVER_NOT_FOUND. */
export const serverByName = async (registry: Registry, name: string): Promise<Server> => {
  const server = await registry.findServerByName(name);
  if (server !== undefined) return server;
  throw new PlugboardError('SERVER_NOT_FOUND', 'No server with that name is registered.', {
    hint: {
      api: 'GET /v1/tools/mcp/servers lists the registered servers by name.',
      cli: '`plugboard list` shows the registered servers.',
    },
  });
};

/** The server of that id. To those who were given nothing of it, it does not exist. */
export const serverGivenTo = async (registry: Registry, c: Context, id: string): Promise<Server> => {
  const principal = principalOf(c);
  const server = await registry.getServer(id);
  const agent = principal.agent === undefined ? undefined : await registry.agents.get(principal.agent);
  const grant = grantOf(principal, agent, await registry.toolsets.list());
  if (grant === undefined || grant.allowsServer(server.id)) return server;
  const tools = await registry.listTools({ serverId: server.id });
  if (tools.some((tool) => grant.allowsTool(tool) || grant.allowsInToolset(tool))) return server;
  throw serverNotFound(id);
};

interface ToolCounts {
  readonly all: number;
  readonly held: number;
}

/** The counts are taken once for all servers, and again when the catalogue is another one. */
const countsOf = new WeakMap<CatalogueSnapshot, ReadonlyMap<string, ToolCounts>>();

const toolCounts = (snapshot: CatalogueSnapshot): ReadonlyMap<string, ToolCounts> => {
  const known = countsOf.get(snapshot);
  if (known !== undefined) return known;
  const counts = new Map(
    snapshot.entries.map(({ server, tools }) => [
      server.id,
      { all: tools.length, held: tools.filter((tool) => decisionState(tool) === 'held').length },
    ]),
  );
  countsOf.set(snapshot, counts);
  return counts;
};

/** What is known of servers beside what is stored. */
export const factsFrom = (registry: Registry): ((server: Server) => ServerFacts) => {
  const counts = toolCounts(registry.snapshot());
  return (server) => ({
    status: registry.status(server.id),
    toolCount: counts.get(server.id)?.all ?? 0,
    heldToolCount: counts.get(server.id)?.held ?? 0,
    missing: registry.missingVariables(server),
    program: registry.logs.programOf(server.id),
  });
};
