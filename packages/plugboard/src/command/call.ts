import { EXIT, type ExitCode, PlugboardError, toolResult, type ToolResult } from '@plugboard/contract';
import { rpc } from '../hub-api/json-rpc.js';
import { asWritten, contentWords } from '../render/content.js';
import type { Output } from '../terminal/output.js';
import { type ArgumentFlags, collectArguments } from './call-arguments.js';
import { assertArguments, strangeArguments } from './check-arguments.js';
import type { CommandContext } from './command-context.js';
import { findTool } from './find-tool.js';

export interface CallInput extends ArgumentFlags {
  readonly server: string;
  readonly tool: string;
  /** Seconds. */
  readonly timeout: number | undefined;
  /** false: --no-validate. */
  readonly validate: boolean;
}

/** The hub ends calls by its own deadlines; this is only the end that none of them can move. */
const LONGEST_SECONDS = 3660;

const tooSlow = (server: string, tool: string, seconds: number): PlugboardError =>
  new PlugboardError('UPSTREAM_TIMEOUT', `The tool ${tool} of ${server} did not answer within ${seconds} s.`, {
    hint: `The hub is well, but the tool is slow. It was cancelled and may still have run: give it more time with --timeout ${Math.ceil(seconds * 5)}.`,
  });

const words = (result: ToolResult): string => {
  const parts = (result.content ?? []).map((part) => contentWords(part, asWritten));
  if (parts.length > 0) return parts.join('\n');
  return result.structuredContent === undefined ? '' : JSON.stringify(result.structuredContent, null, 2);
};

const tellResult = (result: ToolResult, out: Output, name: string): void => {
  const text = words(result);
  if (result.isError === true) {
    out.problem(
      `${out.noteStyle.red(out.noteStyle.bold('error'))}    ${name} reported: ${text === '' ? 'nothing' : text}`,
    );
    return;
  }
  out.verbatim(text);
  if (text === '') out.note(out.noteStyle.dim(`${name} answered without content.`));
};

export const run = async (context: CommandContext, input: CallInput): Promise<ExitCode> => {
  const { out, hub, waiting } = context;
  const client = await hub();
  const server = await client.server(input.server);
  const tool = findTool(server.server_name, await client.tools(server.id), input.tool);
  const args = await collectArguments(context, input, tool.input_schema);
  const strange = strangeArguments(tool, args);
  if (strange !== undefined) out.note(strange);
  if (input.validate) assertArguments(server.server_name, tool, args);
  const answer = await waiting(`Calling ${tool.upstream_name}`, () =>
    rpc(
      client.api,
      { server: server.server_name, method: 'tools/call', params: { name: tool.upstream_name, arguments: args } },
      {
        deadlineMs: (input.timeout ?? LONGEST_SECONDS) * 1000,
        tooSlow: () => tooSlow(server.server_name, tool.upstream_name, input.timeout ?? LONGEST_SECONDS),
      },
    ),
  );
  const parsed = toolResult.safeParse(answer);
  if (!parsed.success) {
    throw new PlugboardError('UPSTREAM_PROTOCOL', `The answer of ${tool.upstream_name} is not the result of a tool.`, {
      hint: 'See the whole answer in the log of the hub; the server does not follow the protocol.',
    });
  }
  out.data(answer);
  tellResult(parsed.data, out, tool.upstream_name);
  return parsed.data.isError === true ? EXIT.failed : EXIT.ok;
};
