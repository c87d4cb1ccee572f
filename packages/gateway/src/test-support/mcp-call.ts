import type { JsonObject } from '@plugboard/wire';
import { LATEST_LEGACY, LATEST_MODERN, revisionOf, type Era } from '@plugboard/wire';
import { LOCAL_CALLER } from '../call/caller.js';
import type { McpCall } from '../call/mcp-call.js';
import type { Scope } from '../call/scope.js';

const emptyScope: Scope = {
  id: 'none',
  kind: 'merged',
  offers: 'tools',
  servers: () => [],
  tools: () => [],
  extras: () => [],
  findTool: () => {
    throw new Error('there is no tool');
  },
};

/** A request as the pipeline sees it. */
export const sampleCall = (
  method: string,
  params: JsonObject = {},
  { era = 'legacy', ...changes }: Partial<McpCall> & { readonly era?: Era } = {},
): McpCall => ({
  id: 1,
  method,
  params,
  client: {
    revision: revisionOf(era === 'legacy' ? LATEST_LEGACY : LATEST_MODERN),
    capabilities: {},
    clientInfo: undefined,
    caller: LOCAL_CALLER,
  },
  session: undefined,
  scope: emptyScope,
  reply: { notify: () => undefined },
  signal: new AbortController().signal,
  logLevel: undefined,
  headers: {},
  ...changes,
});
