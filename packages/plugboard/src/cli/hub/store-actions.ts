import { resolve } from 'node:path';
import { EXIT, type ExitCode, PlugboardError } from '@plugboard/contract';
import { backupStore, moveStore } from '@plugboard/registry';
import { keyFileOf, writeBackupKey } from '../../master-key/backup-key.js';
import { storePlace, storeFile } from '../../store/open-store.js';
import type { CommandContext } from '../command/command-context.js';
import { findRunningHub } from '../../hub-api/connect/running-hub.js';
import { restoreStore } from '../../store/restore-store.js';
import { refuse } from '../command/invalid-argument.js';
import type { Settings } from '../../settings/settings.js';
import { readSecret } from '../input/secret-flag.js';

/** How many rows each table has, one on a line. */
export const rowLines = (rows: Readonly<Record<string, number>>): readonly string[] =>
  Object.entries(rows).map(([table, count]) => `  ${table.padEnd(18)} ${String(count).padStart(7)}`);

export interface BackupInput {
  readonly file: string;
  readonly withMasterKey: boolean;
}

/** Writes everything of the store into one file, also while the hub runs. */
export const backup = async (context: CommandContext, input: BackupInput): Promise<ExitCode> => {
  const { out, waiting, process } = context;
  const settings = await context.settings();
  const file = resolve(process.cwd, input.file);
  const rows = await waiting('Writing the backup', () =>
    backupStore({ from: storePlace(settings), file, signal: process.signal }),
  );
  if (input.withMasterKey) await writeBackupKey(settings.masterKey, keyFileOf(file));
  out.data({ file, rows, master_key: input.withMasterKey ? keyFileOf(file) : null });
  if (out.quiet) return EXIT.ok;
  out.text([`Backed up to ${file} and compared, rows by table:`, ...rowLines(rows)].join('\n'));
  out.note(
    input.withMasterKey
      ? `The master key is in ${keyFileOf(file)}. Keep it apart from the backup: together they reveal every secret.`
      : 'Secrets in it are encrypted. The master key is not in it: back it up elsewhere.',
  );
  return EXIT.ok;
};

/** Fills an empty store with a backup. A restore that was interrupted continues. */
export const restore = async (context: CommandContext, input: { readonly file: string }): Promise<ExitCode> => {
  const { out, waiting, process } = context;
  const settings = await context.settings();
  const { signal, isAlive } = process;
  const running = await findRunningHub(settings.home, { fetch, isAlive, signal });
  if (running.state !== 'none') {
    throw new PlugboardError('CONFLICT', 'A hub is running on this home.', { hint: 'Stop the hub, then try again.' });
  }
  const file = resolve(process.cwd, input.file);
  const { rows, key } = await waiting('Restoring the backup', () => restoreStore(settings, file, signal));
  out.data({ file, rows, master_key: key });
  if (out.quiet) return EXIT.ok;
  out.text(['Restored and compared, rows by table:', ...rowLines(rows)].join('\n'));
  if (key === 'restored') out.note('The master key was restored with it.');
  return EXIT.ok;
};

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
export const migrate = async (context: CommandContext, input: { readonly to: string }): Promise<ExitCode> => {
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
