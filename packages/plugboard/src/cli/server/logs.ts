import { EXIT, type ExitCode, type ServerLogEntry } from '@plugboard/contract';
import { printableColumns, printableJson } from '../../terminal/printable.js';
import type { Output } from '../../terminal/output.js';
import type { CommandContext } from '../command/command-context.js';

export interface LogsInput {
  readonly server: string;
  readonly follow: boolean;
  readonly lines?: number | undefined;
}

/** How long the hub may hold a question for more before it is asked again. */
const WAIT_SECONDS = 20;
/** Behind the end of what an entry may be. */
const BEGINNING = '';

const clockOf = (at: string): string => new Date(at).toTimeString().slice(0, 8);

const line = ({ at, kind, pid, text }: ServerLogEntry, { style }: Output): string => {
  const head = style.dim(`${clockOf(at)} ${pid === null ? '' : `[${pid}]`.padEnd(9)}`);
  const said = printableColumns(text);
  switch (kind) {
    case 'output':
      return `${head} ${said}`;
    case 'exited':
    case 'not_started':
    case 'disconnected':
      return `${head} ${style.yellow(`● ${said}`)}`;
    case 'stopped':
      return `${head} ● ${said}`;
    case 'started':
    case 'connected':
    case 'restarted':
      return `${head} ${style.green(`● ${said}`)}`;
    default:
      return kind satisfies never;
  }
};

const show = (entries: readonly ServerLogEntry[], { out, process }: CommandContext, streaming: boolean): void => {
  if (!out.json) out.text(entries.map((entry) => line(entry, out)).join('\n'));
  else if (streaming) for (const entry of entries) process.stdout.write(`${printableJson(JSON.stringify(entry))}\n`);
  else out.data(entries);
};

export const run = async (context: CommandContext, input: LogsInput): Promise<ExitCode> => {
  const { out, hub, process } = context;
  const client = await hub();
  const { id, server_name: name } = await client.server(input.server);
  const first = await client.logs(id, { limit: input.lines });
  show(first, context, input.follow);
  if (first.length === 0 && !input.follow) out.note(`The log of ${name} is empty.`);
  if (!input.follow) return EXIT.ok;
  let after = first.at(-1)?.id ?? BEGINNING;
  while (!process.signal.aborted) {
    const next = await client.logs(id, { after, wait: WAIT_SECONDS });
    show(next, context, true);
    after = next.at(-1)?.id ?? after;
  }
  return EXIT.ok;
};
