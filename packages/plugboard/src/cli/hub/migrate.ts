import { EXIT, type ExitCode } from '@plugboard/contract';
import { moveStore } from '@plugboard/registry';
import { refuse } from '../command/invalid-argument.js';
import { findRunningHub } from '../../hub-api/connect/running-hub.js';
import { storeFile } from '../../store/open-store.js';
import type { Settings } from '../../settings/settings.js';
import type { CommandContext } from '../command/command-context.js';
import { rowLines } from './row-lines.js';
import { readSecret } from '../input/secret-flag.js';

export interface MigrateInput {
  readonly to: string;
}

const assertMovable = async ({ process }: CommandContext, { home, databaseUrl }: Settings): Promise<void> => {
  if (databaseUrl !== undefined) {
    refuse('The store of this hub is already in Postgres.', 'Unset PLUGBOARD_DATABASE_URL to move the embedded one.');
  }
  const { signal, isAlive } = process;
  const running = await findRunningHub(home, { fetch: (request: Request) => fetch(request), isAlive, signal });
  if (running.state !== 'none') {
    refuse(
      'A hub is running on this home: its changes during the move would be lost.',
      'Stop the hub, then try again.',
    );
  }
};

const targetOf = async ({ process }: CommandContext, text: string): Promise<string> => {
  const url = (await readSecret(text, process)) ?? '';
  const isPostgres = URL.canParse(url) && /^postgres(?:ql)?:$/u.test(new URL(url).protocol);
  return isPostgres
    ? url
    : refuse('That is not the URL of a Postgres database.', 'postgres://user:password@host/database');
};

/** Moves the embedded store into Postgres. A move that was interrupted continues. */
export const run = async (context: CommandContext, input: MigrateInput): Promise<ExitCode> => {
  const { out, waiting } = context;
  const settings = await context.settings();
  await assertMovable(context, settings);
  const url = await targetOf(context, input.to);
  const moved = await waiting('Moving the store', () =>
    moveStore({ from: { file: storeFile(settings.home) }, to: { url }, signal: context.process.signal }),
  );
  out.data({ moved });
  if (out.quiet) return EXIT.ok;
  out.text(['Moved and compared, rows by table:', ...rowLines(moved)].join('\n'));
  out.note('Start the hub with PLUGBOARD_DATABASE_URL and the same master key. The embedded store is not changed.');
  return EXIT.ok;
};
