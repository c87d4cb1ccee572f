import { EXIT, type ExitCode, type ServerView, type ToolView } from '@plugboard/contract';
import { toolDetail } from '../render/tool-detail.js';
import { briefly, effectWords, gradeWord, paintGrade } from '../render/tool-words.js';
import { printableLine } from '../terminal/printable.js';
import type { Style } from '../terminal/style.js';
import { type Column, formatTable } from '../terminal/table.js';
import type { CommandContext } from './command-context.js';
import { eachAtMost } from './each-at-most.js';
import { findTool } from './find-tool.js';

export interface ToolsInput {
  readonly server: string | undefined;
  readonly tool: string | undefined;
}

interface Row {
  readonly server: ServerView;
  readonly tool: ToolView;
}

const PARALLEL = 8;

const columns = (style: Style, withServer: boolean): readonly Column<Row>[] => [
  ...(withServer ? [{ title: 'SERVER', text: ({ server }: Row) => server.server_name, shrinkTo: 10 }] : []),
  {
    title: 'TOOL',
    text: ({ tool }) => printableLine(tool.upstream_name),
    paint: (text, { tool }) => (tool.enabled ? style.bold(text) : style.dim(text)),
    shrinkTo: 20,
  },
  {
    title: 'GRADE',
    text: ({ tool }) => gradeWord(tool.grade.status) + (tool.enabled ? '' : ', off'),
    paint: (text, { tool }) => paintGrade(text, tool.grade.status, style),
  },
  { title: 'EFFECT', text: ({ tool }) => effectWords(tool), paint: style.dim },
  { title: 'DESCRIPTION', text: ({ tool }) => briefly(tool), shrinkTo: 12 },
];

const showOne = async ({ out, hub }: CommandContext, serverName: string, toolName: string): Promise<ExitCode> => {
  const client = await hub();
  const server = await client.server(serverName);
  const tool = findTool(server.server_name, await client.tools(server.id), toolName);
  out.data(tool);
  if (!out.json) out.text(toolDetail(server.server_name, tool, out));
  return EXIT.ok;
};

export const run = async (context: CommandContext, { server, tool }: ToolsInput): Promise<ExitCode> => {
  if (server !== undefined && tool !== undefined) return showOne(context, server, tool);
  const { out, hub } = context;
  const client = await hub();
  const servers = server === undefined ? await client.servers() : [await client.server(server)];
  const lists = await eachAtMost(PARALLEL, servers, async (entry) =>
    (await client.tools(entry.id)).map((found): Row => ({ server: entry, tool: found })),
  );
  const rows = lists.flat();
  out.data(rows.map((row) => row.tool));
  if (out.quiet) {
    out.text(
      rows.map((row) => printableLine(server === undefined ? row.tool.name : row.tool.upstream_name)).join('\n'),
    );
  } else if (rows.length > 0) {
    out.text(formatTable(columns(out.style, server === undefined), rows, out));
  } else {
    out.note(
      server === undefined
        ? 'No tool is known yet.'
        : `No tool of ${server} is known. Read them: plugboard sync ${server}`,
    );
  }
  return EXIT.ok;
};
