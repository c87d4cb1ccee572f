import {
  type CatalogueEntry,
  type CatalogueSnapshot,
  type Hint,
  PlugboardError,
  type Server,
  type Tool,
} from '@plugboard/contract';
import type { Caller } from '../../call/caller.js';
import type { CatalogueSource } from './catalogue-source.js';

export interface BoundTool {
  readonly server: Server;
  readonly tool: Tool;
}

const noSuchServer = (name: string): PlugboardError =>
  new PlugboardError('SERVER_NOT_FOUND', `No server is registered under the name "${name}".`, {
    hint: {
      api: 'GET /servers lists the names; POST /v1/mcp-servers registers a server.',
      cli: '`plugboard list` shows the names; `plugboard add` registers a server.',
    },
  });

/** Every call looks its server up by name, among as many as there are. */
const byName = new WeakMap<CatalogueSnapshot, ReadonlyMap<string, CatalogueEntry>>();

const entryNamed = (catalogue: CatalogueSource, name: string): CatalogueEntry | undefined => {
  const snapshot = catalogue.snapshot();
  const known = byName.get(snapshot);
  if (known !== undefined) return known.get(name);
  const named = new Map(snapshot.entries.map((entry) => [entry.server.server_name, entry]));
  byName.set(snapshot, named);
  return named.get(name);
};

/** The name that a server is registered under, when the path had another. */
export const registeredName = (catalogue: CatalogueSource, name: string): string => {
  const { aliases } = catalogue;
  const other = aliases !== undefined && Object.hasOwn(aliases, name) ? aliases[name] : undefined;
  if (other === undefined) return name;
  return entryNamed(catalogue, name) === undefined ? other : name;
};

/** The entry of a server that may be used, or a refusal that says why not. */
export const requireServer = (catalogue: CatalogueSource, name: string): CatalogueEntry => {
  const entry = entryNamed(catalogue, registeredName(catalogue, name));
  if (entry === undefined) throw noSuchServer(name);
  if (!entry.server.enabled) {
    throw new PlugboardError('PERMISSION_DENIED', `The server "${name}" is disabled.`, {
      hint: {
        api: `Enable it: PATCH /v1/mcp-servers/${entry.server.id} with {"enabled": true}.`,
        cli: `Enable it with: plugboard set ${name} --enable`,
      },
    });
  }
  return entry;
};

/** The entries of which the caller may use anything, each with the tools that it may use. */
export const entriesFor = (catalogue: CatalogueSource, { grant }: Caller): readonly CatalogueEntry[] => {
  const { entries } = catalogue.snapshot();
  const allowed = grant?.();
  if (allowed === undefined) return entries;
  return entries
    .map((entry) => ({ ...entry, tools: entry.tools.filter((tool) => allowed.allowsTool(tool)) }))
    .filter(({ server, tools }) => tools.length > 0 || allowed.allowsServer(server.id));
};

/** Refuses a server that may not be used; for a caller that may use nothing of it, it does not exist. */
export const assertServerFor = (catalogue: CatalogueSource, name: string, { grant }: Caller): void => {
  const allowed = grant?.();
  const entry = entryNamed(catalogue, registeredName(catalogue, name));
  const isHidden =
    allowed !== undefined &&
    entry !== undefined &&
    !allowed.allowsServer(entry.server.id) &&
    !entry.tools.some((tool) => allowed.allowsTool(tool));
  // First: that a server is switched off is not for everybody to know.
  if (isHidden) throw noSuchServer(name);
  requireServer(catalogue, name);
};

/** The same for one server; for a caller that may use nothing of it, it does not exist. */
export const requireServerFor = (catalogue: CatalogueSource, name: string, caller: Caller): CatalogueEntry => {
  const registered = registeredName(catalogue, name);
  const seen = entriesFor(catalogue, caller).find(({ server }) => server.server_name === registered);
  if (seen === undefined) throw noSuchServer(name);
  return { ...requireServer(catalogue, name), tools: seen.tools };
};

export const offeredTools = (entry: CatalogueEntry): readonly Tool[] => entry.tools.filter((tool) => tool.enabled);

const approval = ({ id, server_id: server, quarantine }: Tool): Hint => {
  const state = quarantine?.rejected_at === undefined ? 'waits for approval' : 'the change was rejected';
  return {
    api: `It changed and ${state}. \`quarantine\` of the tool says how; POST /v1/mcp-servers/${server}/tools/${id}/approve offers it again.`,
    cli: `It changed and ${state}: \`plugboard tools\` shows how, \`plugboard approve\` offers it again.`,
  };
};

/** Says that there is no such tool, or why it is withheld. */
export const refuseTool = (name: string, withheld: Tool | undefined): never => {
  if (withheld !== undefined) {
    throw new PlugboardError('PERMISSION_DENIED', `The tool "${name}" is known but not offered.`, {
      hint:
        (withheld.quarantine === undefined ? withheld.grade.reasons[0]?.message : approval(withheld)) ??
        'An operator disabled it and can enable it again.',
    });
  }
  throw new PlugboardError('TOOL_NOT_FOUND', `There is no tool named "${name}" here.`, {
    hint: 'tools/list shows the names; a tool that was just added appears after a sync.',
  });
};

/** A tool of one server, by the name the server knows. */
export const requireToolOf = (entry: CatalogueEntry, upstreamName: string): BoundTool => {
  const tool = entry.tools.find((candidate) => candidate.upstream_name === upstreamName);
  return tool?.enabled === true ? { server: entry.server, tool } : refuseTool(upstreamName, tool);
};

/** A tool of any server, by the name a model sees. */
export const requireTool = (catalogue: CatalogueSource, name: string): BoundTool => {
  for (const entry of catalogue.snapshot().entries) {
    const tool = entry.tools.find((candidate) => candidate.name === name);
    if (tool === undefined) continue;
    if (entry.server.enabled && tool.enabled) return { server: entry.server, tool };
    return refuseTool(name, tool);
  }
  return refuseTool(name, undefined);
};
