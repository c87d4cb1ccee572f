import type { CatalogueEntry, OfferedEntry, Tool, ToolDefinition, ToolsetEntry } from '@plugboard/contract';
import { type Adaptation, adaptTool, estimateToolTokens, type ProfileId, validateArguments } from '@plugboard/schema';
import type { JsonObject } from '@plugboard/wire';
import type { ServerTool } from '../../call/offered-tool.js';
import { definitionOf } from '../catalogue/tool-definition.js';
import { hideArguments, missingRequired, withPresets } from './hide-arguments.js';
import { UnfitArguments } from '../../call/unfit-arguments.js';

export interface CuratedTool {
  readonly offered: ServerTool | undefined;
  readonly entry: OfferedEntry;
}

export interface CurationOptions {
  readonly entry: ToolsetEntry;
  readonly found: CatalogueEntry;
  readonly tool: Tool;
  /** The name that a model sees. */
  readonly name: string;
  readonly provider: ProfileId | undefined;
}

const curatedDefinition = (
  upstream: ToolDefinition,
  { entry, name }: CurationOptions,
  hidden: ReadonlySet<string>,
): ToolDefinition => ({
  ...upstream,
  name,
  ...(entry.description === undefined ? {} : { description: entry.description }),
  ...(hidden.size === 0 ? {} : { inputSchema: hideArguments(upstream.inputSchema, hidden) }),
});

/** Arguments of the adapted definition, as the server wants them; only what the server's own schema takes goes out. */
const restored = (adaptation: Adaptation | undefined, name: string, args: JsonObject): JsonObject => {
  if (adaptation === undefined) return args;
  const back = adaptation.restore(args);
  if (!back.ok) throw new UnfitArguments(name, back.problems);
  return back.args;
};

const argumentMap = (
  options: CurationOptions,
  hidden: ReadonlySet<string>,
  { upstream, adaptation }: { readonly upstream: ToolDefinition; readonly adaptation: Adaptation | undefined },
): ((args: JsonObject) => JsonObject) | undefined => {
  const preset = options.entry.preset_arguments ?? {};
  if (adaptation === undefined && hidden.size === 0) return undefined;
  return (args) => {
    const sent = withPresets(restored(adaptation, options.name, args), hidden, preset);
    if (adaptation === undefined) return sent;
    const verdict = validateArguments(upstream.inputSchema ?? true, sent);
    if (!verdict.ok) throw new UnfitArguments(options.name, verdict.problems);
    return sent;
  };
};

const unfit = (reason: string, { entry }: CurationOptions, verdict?: 'rejected'): CuratedTool => ({
  offered: undefined,
  entry: {
    server_id: entry.server_id,
    upstream_name: entry.upstream_name,
    state: 'unfit',
    reason,
    ...(verdict === undefined ? {} : { provider_verdict: verdict }),
  },
});

/** What a model can no longer express. */
const lossOf = ({ changes }: Adaptation): string | undefined =>
  changes.find(({ effect }) => effect === 'narrower')?.message;

const verdictOf = ({ verdict, lossless }: Adaptation): OfferedEntry['provider_verdict'] =>
  verdict === 'rewritten' && !lossless ? 'lossy' : verdict;

/** One tool as a toolset offers it, with the way back to what its server takes; or why it cannot be offered. */
export const curatedTool = (options: CurationOptions): CuratedTool => {
  const { entry, found, tool, provider } = options;
  const upstream = definitionOf(found, tool);
  const preset = entry.preset_arguments ?? {};
  const hidden = new Set([...(entry.hidden_arguments ?? []), ...Object.keys(preset)]);
  const missing = missingRequired(upstream.inputSchema, hidden, preset);
  if (missing.length > 0) return unfit(`It needs ${missing.join(', ')}, which is hidden and has no preset.`, options);
  const curated = curatedDefinition(upstream, options, hidden);
  const adaptation = provider === undefined ? undefined : adaptTool(curated, provider);
  if (adaptation?.verdict === 'rejected') {
    return unfit(
      `${provider ?? ''} does not accept it: ${adaptation.reasons[0]?.message ?? 'no reason known'}`,
      options,
      'rejected',
    );
  }
  const definition = adaptation?.definition ?? curated;
  const loss = adaptation === undefined ? undefined : lossOf(adaptation);
  return {
    offered: {
      kind: 'server',
      name: definition.name,
      definition,
      server: found.server,
      tool,
      upstreamDefinition: upstream,
      mapArguments: argumentMap(options, hidden, { upstream, adaptation }),
    },
    entry: {
      server_id: entry.server_id,
      upstream_name: entry.upstream_name,
      state: 'offered',
      name: definition.name,
      tokens: estimateToolTokens(definition),
      ...(adaptation === undefined ? {} : { provider_verdict: verdictOf(adaptation) }),
      ...(loss === undefined ? {} : { reason: loss }),
    },
  };
};
