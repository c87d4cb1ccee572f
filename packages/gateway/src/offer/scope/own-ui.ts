import type { Server, ToolDefinition } from '@plugboard/contract';
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
export const withOwnUi = (server: Server, definition: ToolDefinition): ToolDefinition => {
  const meta = definition['_meta'];
  if (!isJsonObject(meta) || (meta['ui'] === undefined && meta[OLDER_MEMBER] === undefined)) return definition;
  return { ...definition, _meta: ownUi(server, meta) };
};
