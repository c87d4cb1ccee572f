import { EXIT, type ExitCode } from '@plugboard/contract';
import { type CheckChange, compareReports, isWorse } from '@plugboard/check';
import { printableColumns } from '../../terminal/printable.js';
import type { Style } from '../../terminal/style.js';
import { findRun } from '../../referee/run-store.js';
import type { CommandContext } from '../command/command-context.js';

export interface CheckCompareInput {
  readonly before: string;
  readonly after: string;
}

const line = ({ id, era, title, kind, before, after, detail }: CheckChange, style: Style): string => {
  const paint = kind === 'broken' ? style.red : kind === 'fixed' ? style.green : style.dim;
  const why = detail === undefined || kind !== 'broken' ? '' : `\n  ${detail}`;
  const words = `${kind} ${id} (${era}): ${before ?? 'absent'} → ${after ?? 'absent'}  ${title}`;
  return `${paint(printableColumns(words))}${printableColumns(why)}`;
};

export const run = async ({ out, settings, process }: CommandContext, input: CheckCompareInput): Promise<ExitCode> => {
  const places = { home: (await settings()).home, cwd: process.cwd };
  const [before, after] = [await findRun(input.before, places), await findRun(input.after, places)];
  const changes = compareReports(before, after);
  out.data({ before: before.startedAt, after: after.startedAt, changes });
  out.text(
    changes.length === 0
      ? 'Both runs have the same results.'
      : changes.map((change) => line(change, out.style)).join('\n'),
  );
  return isWorse(changes) ? EXIT.failed : EXIT.ok;
};
