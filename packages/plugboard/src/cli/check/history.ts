import { EXIT, type ExitCode } from '@plugboard/contract';
import { age } from '../../terminal/age.js';
import { type Column, formatTable } from '../../terminal/table.js';
import type { Style } from '../../terminal/style.js';
import { keptRuns, type KeptRun } from '../../referee/run-store.js';
import type { CommandContext } from '../command/command-context.js';

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
  readonly target: string | undefined;
}

export const run = async ({ out, settings }: CommandContext, { target }: CheckHistoryInput): Promise<ExitCode> => {
  const runs = await keptRuns((await settings()).home);
  const wanted = runs.filter(({ report }) => target === undefined || report.target.label === target);
  out.data(wanted.map(({ id, report: { results: _results, ...rest } }) => ({ id, ...rest })));
  if (wanted.length > 0) out.text(formatTable(columns(out.style, Date.now()), wanted, out));
  else out.note('No runs are stored. Start one: plugboard check <server|url|file>');
  return EXIT.ok;
};
