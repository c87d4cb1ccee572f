import type { ToolsetView, OfferedEntry, ToolsetEntry } from '@plugboard/contract';
import type { HubClient } from '../../hub-api/client/hub-client.js';
import type { CommandContext } from '../command/command-context.js';
import type { Output } from '../../terminal/output.js';
import { printableLine } from '../../terminal/printable.js';
import { type Column, formatTable } from '../../terminal/table.js';
import { count } from '../../terminal/count.js';
import { formatFields } from '../../terminal/fields.js';

const STATE_WORDS: Readonly<Record<OfferedEntry['state'], string>> = {
  offered: 'offered',
  missing: 'missing',
  withheld: 'withheld',
  not_read_only: 'not read-only',
  unfit: 'unfit',
};

/** `3 of 4 offered`, or the number of entries where no hub serves them. */
export const offeredWords = ({ entries, offer }: ToolsetView): string => {
  if (offer === undefined) return count(entries.length, 'tool');
  const offered = offer.entries.filter(({ state }) => state === 'offered').length;
  return offered === entries.length ? count(offered, 'tool') : `${offered} of ${count(entries.length, 'tool')}`;
};

/** What the tools cost a model in every request. */
export const tokenWords = ({ offer, exposure }: ToolsetView): string | undefined => {
  if (offer === undefined) return undefined;
  const { all, listed, saved } = offer.tokens;
  if (exposure === 'all') return `about ${all}`;
  const share = all === 0 ? 0 : Math.round((saved / all) * 100);
  return `about ${listed} instead of ${all}${saved > 0 ? `, ${share} % less` : ': searching costs more than it saves here'}`;
};

type ServerName = (id: string) => string;

type Tool = Pick<ToolsetEntry, 'server_id' | 'upstream_name'>;

const isSameTool = (one: Tool, other: Tool): boolean =>
  one.server_id === other.server_id && one.upstream_name === other.upstream_name;

/** `units="metric", without debug`: what a call always sends, and what a model cannot see. */
const changeWords = (entry: ToolsetEntry | undefined): string => {
  const preset = Object.entries(entry?.preset_arguments ?? {}).map(
    ([name, value]) => `${name}=${JSON.stringify(value)}`,
  );
  const hidden = (entry?.hidden_arguments ?? []).map((name) => `without ${name}`);
  return printableLine([...preset, ...hidden].join(', '));
};

const columns = (toolset: ToolsetView, { style }: Output, serverName: ServerName): readonly Column<OfferedEntry>[] => [
  { title: '  SERVER', text: (entry) => `  ${serverName(entry.server_id)}`, shrinkTo: 12 },
  { title: 'TOOL', text: (entry) => printableLine(entry.upstream_name), shrinkTo: 12 },
  { title: 'NAME HERE', text: (entry) => entry.name ?? '', paint: style.bold, shrinkTo: 12 },
  {
    title: 'STATE',
    text: (entry) => STATE_WORDS[entry.state],
    paint: (text, entry) => (entry.state === 'offered' ? style.green(text) : style.yellow(text)),
  },
  {
    title: 'PRESET AND HIDDEN',
    text: (entry) => changeWords(toolset.entries.find((own) => isSameTool(own, entry))),
    shrinkTo: 16,
  },
  { title: 'WHY', text: (entry) => printableLine(entry.reason ?? ''), shrinkTo: 12 },
];

/** Everything about a toolset. */
const toolsetDetail = (toolset: ToolsetView, out: Output, serverName: ServerName): string =>
  [
    out.style.bold(toolset.name),
    formatFields(
      [
        ['endpoint', toolset.mcp_path],
        ['description', toolset.description === null ? undefined : printableLine(toolset.description)],
        ['read-only', toolset.read_only ? 'yes' : undefined],
        ['provider', toolset.provider ?? undefined],
        ['exposure', toolset.exposure],
        ['tools', offeredWords(toolset)],
        ['tokens', tokenWords(toolset)],
      ],
      out.style,
    ),
    ...(toolset.offer === undefined || toolset.offer.entries.length === 0
      ? []
      : ['', formatTable(columns(toolset, out, serverName), toolset.offer.entries, out)]),
  ].join('\n');

/** Prints a toolset, with the names of its servers. */
export const showToolset = async ({ out }: CommandContext, client: HubClient, toolset: ToolsetView): Promise<void> => {
  out.data(toolset);
  if (out.quiet || out.json) return;
  const names = new Map<string, string>((await client.servers()).map(({ id, server_name }) => [id, server_name]));
  out.text(toolsetDetail(toolset, out, (id) => names.get(id) ?? id));
};
