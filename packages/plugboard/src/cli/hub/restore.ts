import { resolve } from 'node:path';
import { EXIT, type ExitCode, PlugboardError } from '@plugboard/contract';
import { findRunningHub } from '../../hub-api/connect/running-hub.js';
import { restoreStore } from '../../store/restore-store.js';
import type { CommandContext } from '../command/command-context.js';
import { rowLines } from './row-lines.js';

export interface RestoreInput {
  readonly file: string;
}

/** Fills an empty store with a backup. A restore that was interrupted continues. */
export const run = async (context: CommandContext, input: RestoreInput): Promise<ExitCode> => {
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
