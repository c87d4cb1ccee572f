import type { CatalogueEntry, Server, Tool } from '@plugboard/contract';
import type { Caller } from '../../call/caller.js';
import type { NextStep } from '../../call/step.js';
import { refuseTool } from '../../offer/catalogue/catalogue-lookup.js';
import type { CatalogueSource } from '../../offer/catalogue/catalogue-source.js';
import type { ServerTool } from '../../call/offered-tool.js';
import type { Scope } from '../../call/scope.js';
import { definitionOf } from '../../offer/catalogue/tool-definition.js';
import { plainCall } from './call-tool.js';

export interface RunOptions {
  /** Who runs it, with whose variables and login. The caller's rights are not looked at. */
  readonly caller: Caller;
  readonly signal: AbortSignal;
}

/** Runs a tool of a server by its upstream name, whether it is offered or not. */
export type RunTool = (
  server: Server,
  call: { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> },
  options: RunOptions,
) => Promise<unknown>;

const withheldToo = (entry: CatalogueEntry, tool: Tool): ServerTool => {
  const definition = definitionOf(entry, tool);
  return {
    kind: 'server',
    name: tool.upstream_name,
    definition,
    server: entry.server,
    tool,
    upstreamDefinition: definition,
  };
};

/** An endpoint that offers one tool and nothing else. */
const scopeOf = (offered: ServerTool): Scope => ({
  id: `server ${offered.server.server_name}`,
  kind: 'server',
  offers: 'tools',
  servers: () => [offered.server],
  tools: () => [offered],
  extras: () => [],
  findTool: (name) => (name === offered.name ? offered : refuseTool(name, undefined)),
});

/** For callers that are already authorized. Limits, sizes, metrics and the audit trail still apply. */
export const runTool =
  (catalogue: CatalogueSource, pipeline: NextStep): RunTool =>
  async ({ id }, { name, arguments: args }, { caller, signal }) => {
    const entry = catalogue.snapshot().entries.find(({ server }) => server.id === id);
    const tool = entry?.tools.find(({ upstream_name }) => upstream_name === name);
    if (entry === undefined || tool === undefined) return refuseTool(name, undefined);
    return plainCall(pipeline, { scope: scopeOf(withheldToo(entry, tool)), tool: name, args, caller, signal });
  };
