import { type Agent, EXIT, type ExitCode } from '@plugboard/contract';
import { agentClient } from '../../hub-api/client/entry-client.js';
import type { Style } from '../../terminal/style.js';
import { type Column, formatTable } from '../../terminal/table.js';
import type { CommandContext } from '../command/command-context.js';

const columns = (style: Style): readonly Column<Agent>[] => [
  { title: 'NAME', text: ({ name }) => name, paint: style.bold, shrinkTo: 12 },
  { title: 'SERVERS', text: ({ server_ids }) => String(server_ids.length), align: 'right' },
  { title: 'TOOLSETS', text: ({ toolset_ids }) => String(toolset_ids.length), align: 'right' },
  { title: 'ALLOWED', text: ({ allow_tool_ids }) => String(allow_tool_ids.length), align: 'right' },
  { title: 'DENIED', text: ({ deny_tool_ids }) => String(deny_tool_ids.length), align: 'right' },
  { title: 'VARIABLES', text: ({ variables }) => Object.keys(variables).join(', '), shrinkTo: 10 },
  { title: 'ID', text: ({ id }) => id, paint: style.dim, shrinkTo: 12 },
];

export const run = async ({ out, hub }: CommandContext): Promise<ExitCode> => {
  const agents = await agentClient((await hub()).api).list();
  out.data(agents);
  if (out.quiet) out.text(agents.map(({ name }) => name).join('\n'));
  else if (agents.length > 0) out.text(formatTable(columns(out.style), agents, out));
  else out.note('No agents exist yet. Create one: plugboard agent create <name>');
  return EXIT.ok;
};
