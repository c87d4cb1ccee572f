import { EXIT, type ExitCode, type ServerView } from '@plugboard/contract';
import { briefPlaceOf, paintStatus, statusWords, typeWord } from '../render/server-words.js';
import { type Column, formatTable } from '../../terminal/table.js';
import type { Style } from '../../terminal/style.js';
import type { CommandContext } from '../command/command-context.js';

const columns = (style: Style): readonly Column<ServerView>[] => [
  { title: 'NAME', text: (server) => server.server_name, paint: style.bold, shrinkTo: 32 },
  { title: 'TYPE', text: typeWord },
  { title: 'STATUS', text: statusWords, paint: (text) => paintStatus(text, style), shrinkTo: 10 },
  { title: 'TOOLS', text: (server) => String(server.tool_count), align: 'right' },
  { title: 'COMMAND OR URL', text: briefPlaceOf, paint: style.dim, shrinkTo: 12 },
];

export const run = async ({ out, hub }: CommandContext): Promise<ExitCode> => {
  const servers = await (await hub()).servers();
  out.data(servers);
  if (out.quiet) {
    out.text(servers.map((server) => server.server_name).join('\n'));
  } else if (servers.length > 0) {
    out.text(formatTable(columns(out.style), servers, out));
  } else {
    out.note('No server is registered yet. Add one:');
    out.note('  plugboard add files -- npx -y @modelcontextprotocol/server-filesystem .');
    out.note('  plugboard import            (from Claude Desktop, Cursor, VS Code or Windsurf)');
  }
  return EXIT.ok;
};
