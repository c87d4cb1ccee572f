import { EXIT, type ExitCode } from '@plugboard/contract';
import { type CheckChange, compareReports, isWorse } from '@plugboard/check';
import { printableColumns } from '../../terminal/printable.js';
import type { Style } from '../../terminal/style.js';
import { findRun, keptRuns, type KeptRun } from '../../referee/run-store.js';
import type { CommandContext } from '../command/command-context.js';
import { age } from '../../terminal/age.js';
import { type Column, formatTable } from '../../terminal/table.js';

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

export const compare = async (
  { out, settings, process }: CommandContext,
  input: CheckCompareInput,
): Promise<ExitCode> => {
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

const columns = (style: Style, now: number): readonly Column<KeptRun>[] => [
  { title: 'RUN', text: ({ id }) => id, paint: style.bold },
  { title: 'WHEN', text: ({ report }) => age(report.startedAt, now) },
  {
    title: 'OUTCOME',
    text: ({ report }) => report.outcome,
    paint: (text, { report }) =>
      report.outcome === 'passed'
        ? style.green(text)
        : report.outcome === 'failed'
          ? style.red(text)
          : style.yellow(text),
  },
  { title: 'PASSED', text: ({ report }) => String(report.summary.pass), align: 'right' },
  { title: 'FAILED', text: ({ report }) => String(report.summary.fail), align: 'right' },
  { title: 'WARNED', text: ({ report }) => String(report.summary.warn), align: 'right' },
  { title: 'TARGET', text: ({ report }) => report.target.label, paint: style.dim, shrinkTo: 12 },
];

export interface CheckHistoryInput {
  readonly target?: string | undefined;
}

export const history = async ({ out, settings }: CommandContext, { target }: CheckHistoryInput): Promise<ExitCode> => {
  const runs = await keptRuns((await settings()).home);
  const wanted = runs.filter(({ report }) => target === undefined || report.target.label === target);
  out.data(wanted.map(({ id, report: { results: _results, ...rest } }) => ({ id, ...rest })));
  if (wanted.length > 0) out.text(formatTable(columns(out.style, Date.now()), wanted, out));
  else out.note('No runs are stored. Start one: plugboard check <server|url|file>');
  return EXIT.ok;
};
