import { eachAtMost } from '@plugboard/base';
import { EXIT, type ExitCode, PlugboardError, type ToolDefinition } from '@plugboard/contract';
import { fitList } from '@plugboard/schema';
import type { HubClient } from '../../hub-api/client/hub-client.js';
import {
  type ToolPlace,
  type UsableTool,
  usableServer,
  usableServers,
  usableTools,
} from '../../hub-api/client/usable-tools.js';
import { toolDetail } from '../render/tool-detail.js';
import { briefly, effectWords, gradeWord, paintGrade } from '../render/tool-words.js';
import { printableLine } from '../../terminal/printable.js';
import type { Style } from '../../terminal/style.js';
import { type Column, formatTable } from '../../terminal/table.js';
import type { CommandContext } from '../command/command-context.js';
import { findTool } from '../../hub-api/client/find-tool.js';
import { parseToolFormat, type ToolFormat } from '../input/parse-tool-format.js';
import type { Output } from '../../terminal/output.js';

export interface ToolsInput {
  readonly server?: string | undefined;
  readonly tool?: string | undefined;
  /** The toolset whose tools are listed, in place of a server. */
  readonly toolset?: string | undefined;
  /** In whose own shape tools are written, in place of a table. */
  readonly provider?: string | undefined;
  /** The library whose shape they have instead, with the limits of the provider. */
  readonly library?: string | undefined;
}

interface Row {
  readonly place: ToolPlace;
  readonly tool: UsableTool;
}

const PARALLEL = 8;

const columns = (style: Style, withServer: boolean): readonly Column<Row>[] => [
  ...(withServer ? [{ title: 'SERVER', text: ({ place }: Row) => place.name, shrinkTo: 10 }] : []),
  {
    title: 'TOOL',
    text: ({ tool }) => printableLine(tool.upstream_name),
    paint: (text, { tool }) => (tool.enabled === false ? style.dim(text) : style.bold(text)),
    shrinkTo: 20,
  },
  {
    title: 'GRADE',
    text: ({ tool }) =>
      (tool.grade === undefined ? '' : gradeWord(tool.grade.status)) + (tool.enabled === false ? ', off' : ''),
    paint: (text, { tool }) => (tool.grade === undefined ? text : paintGrade(text, tool.grade.status, style)),
  },
  { title: 'EFFECT', text: ({ tool }) => effectWords(tool), paint: style.dim },
  { title: 'DESCRIPTION', text: ({ tool }) => briefly(tool), shrinkTo: 12 },
];

/** How a tool of the place is called. */
const callOf = ({ kind, name }: ToolPlace): readonly string[] => (kind === 'toolsets' ? ['--toolset', name] : [name]);

const everyServer = async (client: HubClient): Promise<readonly ToolPlace[]> => {
  try {
    return (await client.servers()).map(({ id, server_name: name }) => ({ kind: 'servers', name, id }));
  } catch (thrown) {
    if (!(thrown instanceof PlugboardError) || thrown.code !== 'PERMISSION_DENIED') throw thrown;
    return (await usableServers(client.api)).map((name) => ({ kind: 'servers', name }));
  }
};

const placesOf = async (client: HubClient, { server, toolset }: ToolsInput): Promise<readonly ToolPlace[]> => {
  if (toolset !== undefined) return [{ kind: 'toolsets', name: toolset }];
  return server === undefined ? everyServer(client) : [await usableServer(client, server)];
};

const nothing = ({ server, toolset }: ToolsInput): string => {
  if (toolset !== undefined) {
    return `The toolset ${toolset} offers no tools. plugboard toolset show ${toolset} shows the reason.`;
  }
  return server === undefined
    ? 'No tool is known yet.'
    : `No tool of ${server} is known. Read them: plugboard sync ${server}`;
};

/** Writes tools as a provider or a library takes them; what the provider cannot take is named and left out. */
const writeProviderTools = (
  out: Output,
  tools: readonly { readonly name: string; readonly tool: UsableTool }[],
  { profile, write }: ToolFormat,
): ExitCode => {
  const definitions = tools.map(({ name, tool }): ToolDefinition => ({
    name,
    ...(typeof tool.description === 'string' ? { description: tool.description } : {}),
    inputSchema: tool.input_schema,
  }));
  const adapted = fitList(definitions, profile).tools;
  const shapes = adapted
    .filter(({ verdict }) => verdict !== 'rejected')
    .map(({ definition, plan }) => write(definition, plan.profile));
  out.data(shapes);
  out.text(JSON.stringify(shapes, null, 2));
  const rejected = definitions.filter((_definition, index) => adapted[index]?.verdict === 'rejected');
  if (rejected.length === 0) return EXIT.ok;
  out.note(
    `${profile} does not accept ${rejected.map(({ name }) => name).join(', ')}: omitted. plugboard lint shows the reason.`,
  );
  return EXIT.failed;
};

export const run = async ({ out, hub }: CommandContext, input: ToolsInput): Promise<ExitCode> => {
  const format =
    input.provider === undefined && input.library === undefined
      ? undefined
      : parseToolFormat(input.provider, input.library);
  const client = await hub();
  const places = await placesOf(client, input);
  const lists = await eachAtMost(PARALLEL, places, async (place) =>
    (await usableTools(client, place)).map((tool): Row => ({ place, tool })),
  );
  const rows = lists.flat();
  const [place] = places;
  if (input.tool !== undefined && place !== undefined) {
    const found = findTool(
      place.name,
      rows.map(({ tool }) => tool),
      input.tool,
    );
    if (format !== undefined) {
      return writeProviderTools(out, [{ name: found.upstream_name, tool: found }], format);
    }
    out.data(found);
    if (!out.json) out.text(toolDetail(callOf(place), found, out));
    return EXIT.ok;
  }
  const ofAll = input.server === undefined && input.toolset === undefined;
  const nameOf = ({ tool }: Row): string => (ofAll ? (tool.name ?? tool.upstream_name) : tool.upstream_name);
  if (format !== undefined) {
    const named = rows.map((row) => ({ name: nameOf(row), tool: row.tool }));
    return writeProviderTools(out, named, format);
  }
  out.data(rows.map(({ tool }) => tool));
  if (out.quiet) {
    out.text(rows.map((row) => printableLine(nameOf(row))).join('\n'));
  } else if (rows.length > 0) {
    out.text(formatTable(columns(out.style, ofAll), rows, out));
  } else {
    out.note(nothing(input));
  }
  return EXIT.ok;
};
