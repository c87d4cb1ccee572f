import { eachAtMost } from '@plugboard/base';
import { EXIT, type ExitCode, type ServerView } from '@plugboard/contract';
import { count } from '../../terminal/count.js';
import { shellQuote } from '../../terminal/shell-quote.js';
import { syncWords } from '../render/sync-words.js';
import type { Output } from '../../terminal/output.js';
import type { CommandContext } from '../command/command-context.js';
import { syncExit } from './sync.js';

export interface RestartInput {
  readonly servers: readonly string[];
}

const PARALLEL = 4;

const tell = ({ server_name: name, sync }: ServerView, out: Output): void => {
  const { style } = out;
  if (sync === undefined || sync.error === undefined) {
    if (!out.quiet) out.text(`${style.green('✓')} ${style.bold(name)} runs again: ${count(sync?.total ?? 0, 'tool')}.`);
    return;
  }
  out.text(`${style.red('✗')} ${style.bold(name)} did not start.`);
  out.text(syncWords(sync, out).join('\n'));
  out.note(style.dim(`\nplugboard logs ${shellQuote([name])}   shows its output`));
};

export const run = async ({ out, hub, waiting }: CommandContext, input: RestartInput): Promise<ExitCode> => {
  const client = await hub();
  const named = await Promise.all(input.servers.map((name) => client.server(name)));
  const restarted = await waiting(`Restarting ${named.map(({ server_name }) => server_name).join(', ')}`, () =>
    eachAtMost(PARALLEL, named, ({ id }) => client.restart(id)),
  );
  out.data(restarted);
  for (const server of restarted) tell(server, out);
  return syncExit(restarted.flatMap(({ sync }) => (sync === undefined ? [] : [sync]))) === EXIT.ok
    ? EXIT.ok
    : EXIT.failed;
};
