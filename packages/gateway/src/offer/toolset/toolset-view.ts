import {
  type CatalogueEntry,
  type CatalogueSnapshot,
  type OfferedEntry,
  PlugboardError,
  type Server,
  type Tool,
  type Toolset,
  type ToolsetEntry,
  type ToolsetOffer,
} from '@plugboard/contract';
import { estimateServerTokens, isProfileId, type ProfileId, sha256 } from '@plugboard/schema';
import type { OfferedTool, ServerTool } from '../../call/offered-tool.js';
import { META_TOOL_NAMES, metaTools } from '../search/meta-tools.js';
import { type CuratedTool, curatedTool } from './curated-tool.js';

const MAX_LENGTH = 64;
const HASH_LENGTH = 8;

/** Gives names out, each once. The second that asks for a name gets it with a suffix that depends on its key alone. */
const nameGiver = (reserved: readonly string[] = []): ((wanted: string, key: string) => string) => {
  const taken = new Set(reserved);
  return (wanted, key) => {
    const suffix = `_${sha256(key).slice(0, HASH_LENGTH)}`;
    const name = taken.has(wanted) ? wanted.slice(0, MAX_LENGTH - suffix.length) + suffix : wanted;
    taken.add(name);
    return name;
  };
};

/** What the endpoint of a toolset offers, as of one snapshot of the catalogue. */
export interface ToolsetView {
  readonly toolset: Toolset;
  /** What tools/list shows. */
  readonly listed: readonly OfferedTool[];
  /** Every tool of the toolset that can be called. */
  readonly callable: ReadonlyMap<string, ServerTool>;
  readonly callableTools: readonly ServerTool[];
  /** What became of each entry. */
  readonly entries: readonly OfferedEntry[];
  readonly servers: readonly Server[];
  readonly tokens: ToolsetOffer['tokens'];
}

const leftOut = (
  { server_id, upstream_name }: ToolsetEntry,
  state: OfferedEntry['state'],
  reason: string,
): CuratedTool => ({ offered: undefined, entry: { server_id, upstream_name, state, reason } });

const withheldReason = (found: CatalogueEntry, tool: Tool): string | undefined => {
  if (!found.server.enabled) return `The server "${found.server.server_name}" is disabled.`;
  if (tool.enabled) return undefined;
  if (tool.quarantine?.rejected_at !== undefined) return 'It changed, and an operator rejected the change.';
  if (tool.quarantine !== undefined) return 'It changed and waits for approval.';
  return tool.grade.status === 'INVALID'
    ? (tool.grade.reasons[0]?.message ?? 'Its definition cannot be used.')
    : 'An operator disabled it.';
};

type Curate = (entry: ToolsetEntry) => CuratedTool;

const curator = (toolset: Toolset, entries: readonly CatalogueEntry[], taken: readonly string[] = []): Curate => {
  const servers = new Map(entries.map((entry) => [entry.server.id, entry]));
  const giveName = nameGiver([...(toolset.exposure === 'search' ? META_TOOL_NAMES : []), ...taken]);
  const provider: ProfileId | undefined =
    toolset.provider !== null && isProfileId(toolset.provider) ? toolset.provider : undefined;
  return (entry) => {
    const found = servers.get(entry.server_id);
    if (found === undefined) return leftOut(entry, 'missing', 'Its server is not registered.');
    const tool = found.tools.find(({ upstream_name }) => upstream_name === entry.upstream_name);
    if (tool === undefined) return leftOut(entry, 'missing', 'Its server does not offer it.');
    const withheld = withheldReason(found, tool);
    if (withheld !== undefined) return leftOut(entry, 'withheld', withheld);
    if (toolset.read_only && tool.annotations?.readOnlyHint !== true) {
      return leftOut(entry, 'not_read_only', 'It is not annotated as read-only.');
    }
    const name = giveName(entry.name ?? tool.name, `${entry.server_id} ${entry.upstream_name}`);
    return curatedTool({ entry, found, tool, name, provider });
  };
};

const tokensOf = (entries: readonly OfferedEntry[], search: readonly OfferedTool[] | undefined) => {
  const all = entries.reduce((sum, { tokens = 0 }) => sum + tokens, 0);
  const listed = search === undefined ? all : estimateServerTokens(search.map(({ definition }) => definition));
  return { all, listed, saved: all - listed } satisfies ToolsetOffer['tokens'];
};

/** Works out what a toolset offers: renamed, overridden, narrowed, adapted to its provider, and searchable if so wanted. */
export const toolsetView = (toolset: Toolset, snapshot: CatalogueSnapshot): ToolsetView => {
  // named entries first: a name that an operator chose is never the one that gives way
  const ordered = [...toolset.entries].sort((a, b) => Number(a.name === undefined) - Number(b.name === undefined));
  const curate = curator(toolset, snapshot.entries);
  const curated = new Map(ordered.map((entry) => [entry, curate(entry)]));
  const results = toolset.entries.flatMap((entry) => curated.get(entry) ?? []);
  const tools = results.flatMap(({ offered }) => offered ?? []);
  const callable = new Map(tools.map((tool) => [tool.name, tool]));
  const callableTools = [...callable.values()];
  const search = toolset.exposure === 'search' ? metaTools(callableTools) : undefined;
  const entries = results.map(({ entry }) => entry);
  return {
    toolset,
    listed: search ?? callableTools,
    callable,
    callableTools,
    entries,
    servers: [...new Map(tools.map(({ server }) => [server.id, server])).values()],
    tokens: tokensOf(entries, search),
  };
};

/** Tools that the catalogue does not have, as far as the toolset names them. */
export const toolsBeside = ({ toolset, callable }: ToolsetView, found: CatalogueEntry): readonly ServerTool[] => {
  const isNew = ({ server_id, upstream_name }: ToolsetEntry): boolean =>
    server_id === found.server.id && found.tools.some((tool) => tool.upstream_name === upstream_name);
  const replaced = new Set(found.tools.map(({ upstream_name }) => upstream_name));
  const taken = [...callable.values()]
    .filter(({ server, tool }) => server.id !== found.server.id || !replaced.has(tool.upstream_name))
    .map(({ name }) => name);
  const curate = curator(toolset, [found], taken);
  return toolset.entries.filter(isNew).flatMap((entry) => curate(entry).offered ?? []);
};

export const toolNotOffered = (view: ToolsetView, name: string): PlugboardError => {
  const known = view.entries.find((entry, index) => {
    const wanted = view.toolset.entries[index]?.name;
    return entry.state !== 'offered' && (wanted === name || entry.upstream_name === name);
  });
  return known === undefined
    ? new PlugboardError('TOOL_NOT_FOUND', `There is no tool named "${name.slice(0, 200)}" in this toolset.`, {
        hint: view.toolset.exposure === 'search' ? 'search_tools finds the names.' : 'tools/list shows the names.',
      })
    : new PlugboardError('PERMISSION_DENIED', `The tool "${name.slice(0, 200)}" is known but not offered.`, {
        hint: known.reason,
      });
};

export const toolsetOffer = ({ entries, tokens }: ToolsetView): ToolsetOffer => ({ entries: [...entries], tokens });
