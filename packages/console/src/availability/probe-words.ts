import type { MonitoredServer, MonitorSeries } from '@plugboard/contract';
import type { Tone } from '../ui/badge.js';
import { milliseconds, percent } from '../ui/format-text.js';

type State = MonitoredServer['state'];

const STATES: Readonly<Record<State, { readonly tone: Tone; readonly word: string }>> = {
  up: { tone: 'good', word: 'up' },
  failing: { tone: 'warn', word: 'last probe failed' },
  down: { tone: 'bad', word: 'down' },
  unknown: { tone: 'quiet', word: 'not probed yet' },
  'not-probed': { tone: 'quiet', word: 'not probed' },
};

export const probeState = (state: State): { readonly tone: Tone; readonly word: string } => STATES[state];

const GRAVITY: readonly State[] = ['down', 'failing', 'up', 'unknown', 'not-probed'];

export const worstFirst = (servers: readonly MonitoredServer[]): readonly MonitoredServer[] =>
  servers.toSorted(
    (left, right) =>
      GRAVITY.indexOf(left.state) - GRAVITY.indexOf(right.state) ||
      (left.availability ?? 1) - (right.availability ?? 1) ||
      left.server_name.localeCompare(right.server_name),
  );

export const availabilityWords = (share: number | null): string => (share === null ? '–' : percent(share));

/** How much of the error budget is left, and how fast it goes. */
export const budgetWords = ({ budget_left: left }: Pick<MonitoredServer, 'budget_left'>): string => {
  if (left === null) return '–';
  return left <= 0 ? 'used up' : `${percent(Math.min(1, left))} left`;
};

const timesOf = (rate: number | null): string => (rate === null ? '–' : `${rate.toFixed(rate < 10 ? 1 : 0)} ×`);

/** Above 1, the budget does not last for the window. */
export const burnWords = ({ burn }: Pick<MonitoredServer, 'burn'>): string =>
  `${timesOf(burn.hour)} in the last hour, ${timesOf(burn.six_hours)} in six hours`;

/** `tools/call search`. */
export const seriesName = ({ method, tool }: Pick<MonitorSeries, 'method' | 'tool'>): string =>
  tool === undefined ? method : `${method} ${tool}`;

/** A step that only failed has no latency. */
export const latencyWords = (
  series: Pick<MonitorSeries, 'count' | 'failed' | 'p50_ms' | 'p95_ms' | 'p99_ms' | 'max_ms'> | undefined,
  member: 'p50_ms' | 'p95_ms' | 'p99_ms' | 'max_ms',
): string => (series === undefined || series.failed >= series.count ? '–' : milliseconds(series[member]));

/** The steps of a probe in their order; canaries last. */
const ORDER: readonly string[] = ['handshake', 'tools/list', 'tools/call'];
export const inOrder = <Entry extends Pick<MonitorSeries, 'method' | 'tool'>>(
  entries: readonly Entry[],
): readonly Entry[] =>
  entries.toSorted(
    (left, right) =>
      ORDER.indexOf(left.method) - ORDER.indexOf(right.method) || seriesName(left).localeCompare(seriesName(right)),
  );

const DAY_MS = 86_400_000;

/** What ends soon, and whether that needs somebody. */
export const expiryOf = (
  { certificate, token }: Pick<MonitoredServer, 'certificate' | 'token'>,
  now = Date.now(),
): readonly { readonly what: string; readonly days: number; readonly tone: Tone }[] => {
  const ends = [
    ...(certificate === null ? [] : [{ what: 'TLS certificate', at: certificate.expires_at, renewed: false }]),
    ...(token === null ? [] : [{ what: 'OAuth token', at: token.expires_at, renewed: token.renewable }]),
  ];
  return ends.map(({ what, at, renewed }) => {
    const days = Math.floor((Date.parse(at) - now) / DAY_MS);
    const tone = renewed || days > 30 ? 'good' : days > 7 ? 'warn' : 'bad';
    return { what: renewed ? `${what}, renewed automatically` : what, days, tone };
  });
};

export const daysWords = (days: number): string => {
  if (days < 0) return 'expired';
  return days === 0 ? 'ends today' : `${days} ${days === 1 ? 'day' : 'days'} left`;
};
