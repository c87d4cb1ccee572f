import { PlugboardError } from '@plugboard/contract';

const OPERATORS = {
  '<': (value: number, limit: number) => value < limit,
  '<=': (value: number, limit: number) => value <= limit,
  '>': (value: number, limit: number) => value > limit,
  '>=': (value: number, limit: number) => value >= limit,
  '==': (value: number, limit: number) => value === limit,
  '!=': (value: number, limit: number) => value !== limit,
} as const;

type Operator = keyof typeof OPERATORS;

const isOperator = (text: string): text is Operator => Object.hasOwn(OPERATORS, text);

const DURATION = ['avg', 'med', 'sd', 'min', 'max', 'p(50)', 'p(75)', 'p(90)', 'p(95)', 'p(99)', 'p(99.9)'] as const;
const FAILED = ['rate', 'count'] as const;

/** Every metric with its statistics. Durations are milliseconds, rates shares of one, growth and CPU percent. */
export const METRICS: Readonly<Record<string, readonly string[]>> = {
  call_duration: DURATION,
  call_failed: FAILED,
  calls: FAILED,
  first_event_duration: DURATION,
  health_duration: DURATION,
  health_failed: FAILED,
  single_call_duration: DURATION,
  single_health_duration: DURATION,
  list_duration: DURATION,
  connections: FAILED,
  exhaustion_failed: FAILED,
  exhaustion_recovery_failed: FAILED,
  exhaustion_streams: FAILED,
  first_calls_failed: FAILED,
  cold_start_duration: DURATION,
  cold_start_failed: FAILED,
  streams: FAILED,
  stream_ended: FAILED,
  stream_lost: FAILED,
  stream_gap: ['max', 'avg'],
  keep_alives: FAILED,
  resumption_failed: FAILED,
  events_lost: FAILED,
  spike_failed: FAILED,
  recovery: ['value'],
  head_of_line: ['value'],
  capacity: ['value'],
  against_p50: ['value'],
  against_p95: ['value'],
  against_rate: ['value'],
  memory_growth: ['value'],
  cpu: ['avg', 'max'],
  rss: ['max'],
  handles: ['max'],
  children: ['max'],
};

export interface Threshold {
  readonly metric: string;
  readonly statistic: string;
  readonly expression: string;
  readonly holds: (value: number) => boolean;
}

const wrong = (expression: string, why: string, hint: string): never => {
  throw new PlugboardError('INVALID_ARGUMENT', `The threshold "${expression}" cannot be read: ${why}.`, { hint });
};

const EXPRESSION =
  /^\s*(?<statistic>[a-z]+(?:\([\d.]+\))?)\s*(?<operator>[<>]=?|[=!]=)\s*(?<limit>-?[\d.]+(?:e-?\d+)?)\s*$/iu;

/** A condition such as `p(95)<200`, on one metric. */
export const parseThreshold = (metric: string, expression: string): Threshold => {
  const whole = `${metric}: ${expression}`;
  const statistics = Object.hasOwn(METRICS, metric) ? METRICS[metric] : undefined;
  if (statistics === undefined) {
    return wrong(whole, `there is no metric ${metric}`, `Known: ${Object.keys(METRICS).join(', ')}.`);
  }
  const { statistic = '', operator = '', limit = '' } = EXPRESSION.exec(expression)?.groups ?? {};
  const bound = Number(limit);
  if (!isOperator(operator) || limit === '' || Number.isNaN(bound)) {
    return wrong(
      whole,
      'it is not a statistic, an operator and a number',
      `Write it like this: ${metric}:${statistics[0]}<100`,
    );
  }
  if (!statistics.includes(statistic)) {
    return wrong(whole, `${metric} has no ${statistic}`, `It has: ${statistics.join(', ')}.`);
  }
  return { metric, statistic, expression: expression.trim(), holds: (value) => OPERATORS[operator](value, bound) };
};
