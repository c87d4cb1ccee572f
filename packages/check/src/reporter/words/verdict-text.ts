import type { CheckReport, CheckResult, CheckSummary, CheckVerdict } from '@plugboard/contract';
import { FAMILIES } from '../../model/family.js';

export interface VerdictWords {
  readonly glyph: string;
  readonly label: string;
}

export const VERDICTS: Readonly<Record<CheckVerdict, VerdictWords>> = {
  fail: { glyph: '✗', label: 'failed' },
  warn: { glyph: '!', label: 'warned' },
  'not-verified': { glyph: '?', label: 'not verified' },
  pass: { glyph: '✓', label: 'passed' },
  'not-applicable': { glyph: '–', label: 'not applicable' },
};

/** The gravest first. */
export const VERDICT_ORDER = Object.keys(VERDICTS) as readonly CheckVerdict[];

export const isFinding = ({ verdict }: CheckResult): boolean => verdict === 'fail' || verdict === 'warn';

/** The one percentage of a report; a dash when too little could be verified for one. */
export const percent = ({ rate }: CheckSummary): string =>
  rate === null ? '–' : `${(Math.floor(rate * 1_000) / 10).toFixed(1)} %`;

export const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

/** How long the run took, and how much of that the server took to start. */
export const timeOf = ({ durationMs, firstAnswerMs, target }: CheckReport): string => {
  const start = target.transport === 'stdio' && firstAnswerMs !== undefined ? seconds(firstAnswerMs) : undefined;
  return `${seconds(durationMs)}${start === undefined ? '' : ` (the server’s first answer came after ${start})`}`;
};

/** How thorough a run of checks was, and by which seed it can be repeated; nothing for other examinations. */
export const settingsOf = ({ kind, tier, seed }: CheckReport): readonly string[] =>
  kind === undefined ? [`tier ${tier}`, `seed ${seed}`] : [];

const COMMANDS = {
  contract: 'diff',
  workflow: 'workflow',
  replay: 'replay',
  llm: 'check llm',
  eval: 'eval',
} as const satisfies Readonly<Record<NonNullable<CheckReport['kind']>, string>>;

/** The command that wrote the report. */
export const commandOf = ({ kind }: CheckReport): string =>
  `plugboard ${kind === undefined ? 'check' : COMMANDS[kind]}`;

export const OUTCOMES: Readonly<Record<CheckReport['outcome'], string>> = {
  passed: 'passed',
  failed: 'failed',
  incomplete: 'incomplete',
  unreachable: 'unreachable',
  'not-examined': 'could not be examined',
};

/** The cases of evals that passed: what was measured belongs to the verdict, whichever it is. */
export const measured = ({ kind, results }: CheckReport): readonly CheckResult[] =>
  kind === 'eval' ? results.filter(({ verdict, detail }) => verdict === 'pass' && detail !== undefined) : [];

const ERA_WORDS = { legacy: ['legacy'], modern: ['modern'], both: ['both eras'], none: [] } as const;

/** The level of a check and the eras that its results are about. */
export const qualifiers = (first: CheckResult, ...others: readonly CheckResult[]): string =>
  [first.level, ...[first, ...others].flatMap(({ era }) => ERA_WORDS[era])].join(', ');

/** What is wrong when something is, else what holds. */
export const headlineOf = ({ title, problem }: CheckResult): string => problem ?? title;

/** Failures first, then warnings, then what could not be verified; within a verdict the order stays. */
export const gravestFirst = (results: readonly CheckResult[]): readonly CheckResult[] =>
  results.toSorted((one, two) => VERDICT_ORDER.indexOf(one.verdict) - VERDICT_ORDER.indexOf(two.verdict));

/** Who was examined, in one line. */
export const subject = ({ target, server }: CheckReport): string => {
  const name = server?.name === undefined ? target.label : `${server.name} ${server.version ?? ''}`.trim();
  const where = target.transport === undefined ? '' : ` over ${target.transport}`;
  const revisions = server === undefined || server.revisions.length === 0 ? '' : `, ${server.revisions.join(' and ')}`;
  return `${name}${where}${revisions}`;
};

/** Results by family, the gravest first: a family with a failure comes before one without. */
export const byFamily = (results: readonly CheckResult[]): ReadonlyMap<string, readonly CheckResult[]> => {
  const families = new Map<string, CheckResult[]>();
  for (const result of gravestFirst(results)) {
    families.set(result.family, [...(families.get(result.family) ?? []), result]);
  }
  return families;
};

export const titleOfFamily = (family: string): string =>
  family in FAMILIES ? FAMILIES[family as keyof typeof FAMILIES] : family;
