import type { CheckEra, CheckTransport } from '@plugboard/contract';
import type { LoadCall } from '../load/call/call-text.js';
import { quote, variableFor } from '../reproduce/shell.js';
import type { CheckTarget } from '../target/target.js';

export interface Reproducible {
  readonly target: Pick<CheckTarget, 'url' | 'command' | 'cwd' | 'headers' | 'env'>;
  readonly transport: CheckTransport;
  readonly era: CheckEra;
  readonly call: Pick<LoadCall, 'tool' | 'arguments'>;
  readonly seed: number;
  readonly budgetMs: number;
  /** The words of the command line that name the subject; none for a server. */
  readonly subjectFlags: readonly string[];
}

/** The values of headers and variables may be secrets: the reader has them in variables of the shell. */
const placeOf = ({ target, transport }: Reproducible): readonly string[] => [
  ...Object.keys(target.headers).map((name) => `--header "${name}: $${variableFor(name)}"`),
  ...Object.keys(target.env).map((name) => `--env ${name}="$${name}"`),
  ...(target.cwd === undefined ? [] : [`--cwd ${quote(target.cwd)}`]),
  ...(transport === 'sse' ? ['--sse'] : []),
  ...(target.url === undefined ? ['--', ...(target.command ?? []).map(quote)] : [quote(target.url)]),
];

/** A line for a shell that shows the same fault again. */
export const reproduction = (course: Reproducible, rowId: string): string => {
  const { call, era, seed, budgetMs, subjectFlags } = course;
  const tool = `${call.tool ?? ''}=${JSON.stringify(call.arguments ?? {})}`;
  return [
    'plugboard chaos',
    `--tool ${quote(tool)} --era ${era} --only ${rowId} --seed ${seed} --budget ${budgetMs / 1_000}`,
    ...subjectFlags.map(quote),
    ...placeOf(course),
  ].join(' ');
};
