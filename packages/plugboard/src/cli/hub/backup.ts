import { resolve } from 'node:path';
import { EXIT, type ExitCode } from '@plugboard/contract';
import { backupStore } from '@plugboard/registry';
import { keyFileOf, writeBackupKey } from '../../master-key/backup-key.js';
import { storePlace } from '../../store/open-store.js';
import type { CommandContext } from '../command/command-context.js';
import { rowLines } from './row-lines.js';

export interface BackupInput {
  readonly file: string;
  readonly withMasterKey: boolean;
}

/** Writes everything of the store into one file, also while the hub runs. */
export const run = async (context: CommandContext, input: BackupInput): Promise<ExitCode> => {
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
