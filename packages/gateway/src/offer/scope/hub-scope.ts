import type { CatalogueEntry, Server, ToolDefinition } from '@plugboard/contract';
import { requireTool } from '../catalogue/catalogue-lookup.js';
import type { CatalogueSource } from '../catalogue/catalogue-source.js';
import type { ServerTool } from '../../call/offered-tool.js';
import type { Scope } from '../../call/scope.js';
import { serverTools } from './server-tools.js';
import { enabledEntries, snapshotView } from '../catalogue/snapshot-view.js';
import { isJsonObject, type JsonObject } from '@plugboard/wire';
import { qualifyUri } from './qualified-uri.js';
import { textAt } from '../../rpc/members.js';

/** Where a tool names the resource that shows it, today and in older servers. */
const OLDER_MEMBER = 'ui/resourceUri';

const ownUi = (server: Server, meta: JsonObject): JsonObject => {
  const ui = isJsonObject(meta['ui']) ? meta['ui'] : {};
  const [uri, older] = [textAt(ui, 'resourceUri'), textAt(meta, OLDER_MEMBER)];
  return {
    ...meta,
    ...(uri === undefined ? {} : { ui: { ...ui, resourceUri: qualifyUri(server, uri) } }),
    ...(older === undefined ? {} : { [OLDER_MEMBER]: qualifyUri(server, older) }),
  };
};

/** A tool among those of several servers names its own server's page, though others may have one of the same address. */
const withOwnUi = (server: Server, definition: ToolDefinition): ToolDefinition => {
  const meta = definition['_meta'];
  if (!isJsonObject(meta) || (meta['ui'] === undefined && meta[OLDER_MEMBER] === undefined)) return definition;
  return { ...definition, _meta: ownUi(server, meta) };
};

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
