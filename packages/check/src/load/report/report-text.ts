import type {
  BenchReport,
  LatencySummary,
  LoadComparison,
  LoadPhase,
  LoadViolationKind,
  ThresholdResult,
} from '@plugboard/contract';

export const milliseconds = (ms: number): string => {
  if (ms >= 10_000) return `${(ms / 1_000).toFixed(1)} s`;
  return ms >= 100 ? `${ms.toFixed(0)} ms` : `${ms.toFixed(2)} ms`;
};

export const megabytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MiB`;

export const percent = (share: number): string => `${(share * 100).toFixed(2)} %`;

export const VIOLATIONS: Readonly<Record<LoadViolationKind, string>> = {
  'id-mixed': 'answers with the id of another request',
  'foreign-canary': 'answers that contain text of another caller',
  'canary-missing': 'answers that do not contain the text of the caller',
  'progress-mixed': 'progress for a call that is not open, or that goes backwards',
  'surplus-answer': 'requests that were answered more than once',
  'schema-invalid': 'answers that do not match the schema',
};

export const OUTCOMES: Readonly<Record<BenchReport['outcome'], string>> = {
  passed: 'passed',
  failed: 'failed',
  incomplete: 'incomplete',
  unreachable: 'unreachable',
  'not-examined': 'could not be measured',
};

/** How a run ended. One that was cancelled may have figures: those of the time until then. */
export const outcomeWord = ({ outcome, scenarios }: BenchReport): string =>
  outcome === 'not-examined' && scenarios.some(({ phases }) => phases.length > 0) ? 'not completed' : OUTCOMES[outcome];

/** Who was measured, in one line. */
export const subject = ({ target, server, era }: BenchReport): string => {
  const name = server?.name === undefined ? target.label : `${server.name} ${server.version ?? ''}`.trim();
  return [
    name,
    target.transport === undefined ? '' : `over ${target.transport}`,
    era === undefined ? '' : `(${era} era)`,
  ]
    .filter((part) => part !== '')
    .join(' ');
};

/** What was called, in a few words. */
export const callWords = ({ call }: BenchReport): string =>
  call === undefined ? '' : call.tool === undefined ? call.method : `${call.method} ${call.tool}`;

export const thresholdWords = ({ metric, expression, value }: ThresholdResult): string =>
  `${metric} ${expression}${value === undefined ? '' : ` (is ${Number(value.toPrecision(4))})`}`;

export const thresholdMark = ({ verdict }: ThresholdResult): string =>
  verdict === 'pass' ? '✓' : verdict === 'fail' ? '✗' : '–';

/** The columns of every table of phases. */
export const PHASE_COLUMNS: readonly (readonly [title: string, text: (phase: LoadPhase) => string])[] = [
  ['phase', ({ name }) => name],
  ['loop', ({ loop, rate }) => (rate === undefined ? loop : `${loop}, ${rate}/s`)],
  ['callers', ({ concurrency }) => String(concurrency)],
  ['calls', ({ calls }) => String(calls)],
  ['failed', ({ failed }) => String(failed)],
  ['calls/s', ({ callsPerSecond }) => callsPerSecond.toFixed(callsPerSecond < 100 ? 1 : 0)],
  ['mean', ({ uncorrected }) => milliseconds(uncorrected.mean)],
  ['p50', ({ uncorrected }) => milliseconds(uncorrected.p50)],
  ['p90', ({ uncorrected }) => milliseconds(uncorrected.p90)],
  ['p95', ({ uncorrected }) => milliseconds(uncorrected.p95)],
  ['p99', ({ uncorrected }) => milliseconds(uncorrected.p99)],
  ['p99.9', ({ uncorrected }) => milliseconds(uncorrected.p999)],
  ['max', ({ uncorrected }) => milliseconds(uncorrected.max)],
  ['p99 corrected', ({ latency }) => milliseconds(latency.p99)],
];

/** How many calls a phase had, and how many of them succeeded. */
export const callCountWords = ({ calls, failed }: LoadPhase): string =>
  `${calls.toLocaleString('en-US')} calls, ${failed.toLocaleString('en-US')} failed: ${percent(calls === 0 ? 0 : (calls - failed) / calls)} succeeded.`;

/** When the first event of an answer came, for servers that answer with event streams. */
const firstEventFigures = ({ firstEvent }: LoadPhase): readonly (readonly string[])[] =>
  firstEvent === undefined
    ? []
    : [
        ['first event, mean', milliseconds(firstEvent.mean), ''],
        ['first event, median', milliseconds(firstEvent.p50), ''],
        ['first event, p95', milliseconds(firstEvent.p95), ''],
        ['first event, p99', milliseconds(firstEvent.p99), ''],
      ];

/** Every figure of a phase: as it was measured, and corrected for coordinated omission. */
export const latencyFigures = (phase: LoadPhase): readonly (readonly string[])[] => {
  const { uncorrected, latency } = phase;
  const row = (name: string, pick: (summary: LatencySummary) => number): readonly string[] => [
    name,
    milliseconds(pick(uncorrected)),
    milliseconds(pick(latency)),
  ];
  return [
    row('mean', ({ mean }) => mean),
    row('mean, lower bound (95 %)', ({ meanLow }) => meanLow),
    row('mean, upper bound (95 %)', ({ meanHigh }) => meanHigh),
    row('median', ({ p50 }) => p50),
    row('min', ({ min }) => min),
    row('max', ({ max }) => max),
    row('standard deviation', ({ sd }) => sd),
    row('p75', ({ p75 }) => p75),
    row('p90', ({ p90 }) => p90),
    row('p95', ({ p95 }) => p95),
    row('p99', ({ p99 }) => p99),
    row('p99.9', ({ p999 }) => p999),
    ...firstEventFigures(phase),
  ];
};

/** The same in one line, where there is no room for a table. */
export const firstEventWords = ({ firstEvent }: LoadPhase): readonly string[] =>
  firstEvent === undefined
    ? []
    : [
        `The first event of an answer came after ${milliseconds(firstEvent.p50)} (p50), ${milliseconds(firstEvent.p95)} (p95), ${milliseconds(firstEvent.p99)} (p99).`,
      ];

export const generatorWords = ({ generator }: BenchReport): readonly string[] =>
  generator === undefined
    ? []
    : [
        `The generator${generator.workers === undefined ? '' : ` and its ${generator.workers} workers`} took ${generator.cpuMicrosecondsPerCall.toFixed(0)} µs of CPU per call; ${generator.workers === undefined ? 'its' : 'the busiest'} event loop was busy ${percent(generator.utilisation)} of the time, and late by ${milliseconds(generator.loopDelayP99)} (p99).`,
        ...(generator.saturated
          ? ['The generator was saturated: these figures may be its own, not those of the server.']
          : []),
      ];

export const processWords = ({ process }: BenchReport): readonly string[] =>
  process === undefined
    ? []
    : [
        `The server: CPU ${process.cpuMean.toFixed(0)} % on average and ${process.cpuMax.toFixed(0)} % at most, memory ${megabytes(process.rssFirst)} → ${megabytes(process.rssLast)}${process.memoryGrowth === undefined ? '' : ` (${process.memoryGrowth.toFixed(1)} %)`}, at most ${process.handlesMax} handles and ${process.childrenMax} children.`,
      ];

const CHANGED: Readonly<Record<LoadChange['metric'], (value: number) => string>> = {
  p50: milliseconds,
  p95: milliseconds,
  rate: (value) => `${value.toFixed(0)} calls/s`,
};

type LoadChange = LoadComparison['changes'][number];

export const COMPARED: readonly string[] = ['', 'before', 'after', 'ratio', 'p', 'effect', 'verdict'];

/** The rows of the table of a comparison. */
export const comparisonRows = ({ comparison }: BenchReport): readonly (readonly string[])[] =>
  (comparison?.changes ?? []).map(({ metric, before, after, ratio, p, effect, verdict }) => [
    metric === 'rate' ? 'throughput' : metric,
    CHANGED[metric](before),
    CHANGED[metric](after),
    ratio.toFixed(3),
    p.toPrecision(2),
    effect.toFixed(2),
    verdict,
  ]);

/** What the run was compared with. */
export const comparisonTitle = ({ comparison }: BenchReport): string =>
  comparison === undefined
    ? ''
    : comparison.kind === 'baseline'
      ? `Compared with the baseline of ${comparison.with} (tolerance ${comparison.tolerance} %)`
      : `Compared with ${comparison.with}, in ${comparison.rounds ?? 0} rounds in turns (tolerance ${comparison.tolerance} %)`;

/** The main phase of a report: the steady one, or else the first. */
export const mainPhase = ({ scenarios }: BenchReport): LoadPhase | undefined =>
  (scenarios.find(({ scenario }) => scenario === 'steady') ?? scenarios.find(({ phases }) => phases.length > 0))
    ?.phases[0];

/** Smaller differences are noise. */
const STALLED = 2;

/** Why corrected and uncorrected figures differ, when they do. */
export const omissionWords = ({ latency, uncorrected, loop }: LoadPhase): readonly string[] =>
  latency.p99 > uncorrected.p99 * STALLED
    ? [
        loop === 'open'
          ? `Callers had to wait: p99 is ${milliseconds(latency.p99)} from when a call was due, and ${milliseconds(uncorrected.p99)} from when it was sent.`
          : `Calls stalled, in the server or on this machine: p99 is ${milliseconds(latency.p99)} corrected for coordinated omission, and ${milliseconds(uncorrected.p99)} without.`,
      ]
    : [];
