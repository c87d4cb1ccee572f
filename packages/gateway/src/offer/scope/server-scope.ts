import { requireServer, requireToolOf } from '../catalogue/catalogue-lookup.js';
import type { CatalogueSource } from '../catalogue/catalogue-source.js';
import type { Scope } from '../../call/scope.js';
import { serverTools } from './server-tools.js';
import { snapshotView } from '../catalogue/snapshot-view.js';

/** One server, under the names it chose itself. */
export const serverScope = (catalogue: CatalogueSource, serverName: string): Scope => {
  const view = snapshotView(catalogue, () => {
    const entry = requireServer(catalogue, serverName);
    const tools = serverTools(entry, (tool) => tool.upstream_name);
    return { entry, tools, byName: new Map(tools.map((tool) => [tool.name, tool])) };
  });
  return {
    id: `server ${serverName}`,
    kind: 'server',
    offers: 'everything',
    servers: () => [view().entry.server],
    tools: () => view().tools,
    extras: (entry) =>
      entry.server.server_name === serverName ? serverTools(entry, (tool) => tool.upstream_name) : [],
    findTool: (name) => {
      const { entry, byName } = view();
      const found = byName.get(name);
      if (found !== undefined) return found;
      requireToolOf(entry, name);
      throw new Error('a tool that may be used was not listed');
    },
  };
};
