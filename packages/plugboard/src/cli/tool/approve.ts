import { EXIT, type ExitCode, type ServerView, type ToolView } from '@plugboard/contract';
import { count } from '../../terminal/count.js';
import { printableLine } from '../../terminal/printable.js';
import type { Output } from '../../terminal/output.js';
import type { CommandContext } from '../command/command-context.js';
import { findTool } from '../../hub-api/client/find-tool.js';
import { changeLines, decide } from './decision.js';

export interface ApproveInput {
  readonly server: string;
  /** None: show what waits. */
  readonly tools: readonly string[];
  /** Everything that waits. */
  readonly all: boolean;
}

const showWaiting = (out: Output, server: ServerView, waiting: readonly ToolView[]): ExitCode => {
  out.data(waiting);
  if (out.quiet) {
    out.text(waiting.map((tool) => printableLine(tool.upstream_name)).join('\n'));
  } else if (waiting.length === 0) {
    out.text(`No tool of ${server.server_name} waits for approval.`);
  } else {
    out.text(waiting.flatMap((tool) => changeLines(tool, out)).join('\n'));
    out.note(
      `Approve them: plugboard approve ${server.server_name} <tool>, or --all. Reject one: plugboard reject ${server.server_name} <tool>`,
    );
  }
  return EXIT.ok;
};

export const run = async ({ out, hub }: CommandContext, input: ApproveInput): Promise<ExitCode> => {
  const client = await hub();
  const server = await client.server(input.server);
  const tools = await client.tools(server.id);
  const waiting = tools.filter(({ quarantine }) => quarantine !== undefined && quarantine.rejected_at === undefined);
  if (input.tools.length === 0 && !input.all) return showWaiting(out, server, waiting);
  const chosen = input.all ? waiting : input.tools.map((name) => findTool(server.server_name, tools, name));
  for (const tool of chosen) await decide(client, tool, 'approve');
  out.data({ approved: chosen.map(({ id, upstream_name }) => ({ id, upstream_name })) });
  if (!out.quiet) {
    out.text(
      [
        ...chosen.filter(({ quarantine }) => quarantine !== undefined).flatMap((tool) => changeLines(tool, out)),
        `Approved ${count(chosen.length, 'tool')} of ${out.style.bold(server.server_name)}.`,
      ].join('\n'),
    );
  }
  return EXIT.ok;
};
