import type { CatalogueEntry } from '@plugboard/contract';
import { requireTool } from '../catalogue/catalogue-lookup.js';
import type { CatalogueSource } from '../catalogue/catalogue-source.js';
import type { ServerTool } from '../../call/offered-tool.js';
import { withOwnUi } from './own-ui.js';
import type { Scope } from '../../call/scope.js';
import { serverTools } from './server-tools.js';
import { enabledEntries, snapshotView } from '../catalogue/snapshot-view.js';

const offered = (entries: readonly CatalogueEntry[], isOfSeveral: boolean): readonly ServerTool[] => {
  const all = entries.flatMap((entry) => serverTools(entry, (tool) => tool.name));
  return isOfSeveral ? all.map((tool) => ({ ...tool, definition: withOwnUi(tool.server, tool.definition) })) : all;
};

/** Every enabled server at once, under the names a model sees. */
export const hubScope = (catalogue: CatalogueSource): Scope => {
  const view = snapshotView(catalogue, (snapshot) => {
    const entries = enabledEntries(snapshot);
    const tools = offered(entries, entries.length > 1);
    return {
      servers: entries.map(({ server }) => server),
      tools,
      byName: new Map(tools.map((tool) => [tool.name, tool])),
    };
  });
  return {
    id: 'all',
    kind: 'merged',
    offers: 'everything',
    servers: () => view().servers,
    tools: () => view().tools,
    extras: (entry) => offered([entry], view().servers.length > 1),
    findTool: (name) => {
      const found = view().byName.get(name);
      if (found !== undefined) return found;
      requireTool(catalogue, name);
      throw new Error('a tool that may be used was not listed');
    },
  };
};
