import { EXIT, type ExitCode, type ToolView } from '@plugboard/contract';
import { findTool } from '../../hub-api/client/find-tool.js';
import { count } from '../../terminal/count.js';
import type { CommandContext } from '../command/command-context.js';
import { changeLines, decide } from './decision.js';

export interface RejectInput {
  readonly server: string;
  readonly tools: readonly string[];
}

export const run = async ({ out, hub }: CommandContext, input: RejectInput): Promise<ExitCode> => {
  const client = await hub();
  const server = await client.server(input.server);
  const tools = await client.tools(server.id);
  const chosen: readonly ToolView[] = input.tools.map((name) => findTool(server.server_name, tools, name));
  for (const tool of chosen) await decide(client, tool, 'reject');
  out.data({ rejected: chosen.map(({ id, upstream_name }) => ({ id, upstream_name })) });
  if (!out.quiet) {
    out.text(
      [
        ...chosen.flatMap((tool) => changeLines(tool, out)),
        `Rejected the changes of ${count(chosen.length, 'tool')} of ${out.style.bold(server.server_name)}.`,
      ].join('\n'),
    );
    out.note('Agents do not get them until the server changes them back, or you approve them.');
  }
  return EXIT.ok;
};
