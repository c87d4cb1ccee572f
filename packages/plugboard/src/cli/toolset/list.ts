import { EXIT, type ExitCode, type ToolsetView } from '@plugboard/contract';
import { toolsetClient } from '../../hub-api/client/entry-client.js';
import { offeredWords, tokenWords } from './toolset-words.js';
import type { Style } from '../../terminal/style.js';
import { type Column, formatTable } from '../../terminal/table.js';
import type { CommandContext } from '../command/command-context.js';

const columns = (style: Style): readonly Column<ToolsetView>[] => [
  { title: 'NAME', text: ({ name }) => name, paint: style.bold, shrinkTo: 12 },
  { title: 'TOOLS', text: offeredWords },
  { title: 'EXPOSURE', text: ({ exposure }) => exposure },
  { title: 'PROVIDER', text: ({ provider }) => provider ?? '', shrinkTo: 8 },
  { title: 'TOKENS', text: (toolset) => tokenWords(toolset) ?? '', shrinkTo: 10 },
  { title: 'ENDPOINT', text: ({ mcp_path }) => mcp_path, paint: style.dim, shrinkTo: 12 },
];

export const run = async ({ out, hub }: CommandContext): Promise<ExitCode> => {
  const toolsets = await toolsetClient((await hub()).api).list();
  out.data(toolsets);
  if (out.quiet) out.text(toolsets.map(({ name }) => name).join('\n'));
  else if (toolsets.length > 0) out.text(formatTable(columns(out.style), toolsets, out));
  else out.note('No toolsets exist yet. Create one: plugboard toolset create <name>');
  return EXIT.ok;
};
