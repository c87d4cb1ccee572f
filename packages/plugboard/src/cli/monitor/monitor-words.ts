import type { MonitoredServer, MonitorSeries, MonitorView } from '@plugboard/contract';
import { printableColumns } from '../../terminal/printable.js';
import type { Style } from '../../terminal/style.js';
import { type Column, formatTable } from '../../terminal/table.js';
import { fitWidth } from '../../terminal/text-width.js';

export interface Screen {
  readonly style: Style;
  readonly width: number | undefined;
}

const percent = (share: number | null): string =>
  share === null ? '–' : `${(share * 100).toFixed(share === 1 ? 0 : 2)} %`;

const ms = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toFixed(1));

const painted = ({ state }: MonitoredServer, style: Style): ((text: string) => string) => {
  switch (state) {
    case 'up':
      return style.green;
    case 'down':
      return style.red;
    case 'failing':
      return style.yellow;
    case 'unknown':
    case 'not-probed':
      return style.dim;
    default:
      return state satisfies never;
  }
};

const burnWords = ({ burn }: MonitoredServer): string => (burn.hour === null ? '–' : `${burn.hour.toFixed(1)}×`);

const notes = ({ reason, drift, certificate, token }: MonitoredServer): string =>
  [
    ...(reason === null ? [] : [reason]),
    ...(drift === null ? [] : [`${drift.kind} drift`]),
    ...(certificate === null || certificate.days_left > 30 ? [] : [`certificate: ${certificate.days_left} days left`]),
    ...(token === null || token.renewable ? [] : [`token expires ${token.expires_at}`]),
  ].join('; ');

const serverColumns = (style: Style): readonly Column<MonitoredServer>[] => [
  { title: 'SERVER', text: ({ server_name }) => server_name, paint: style.bold, shrinkTo: 10 },
  { title: 'STATE', text: ({ state }) => state, paint: (text, server) => painted(server, style)(text) },
  { title: 'AVAILABLE', text: ({ availability }) => percent(availability), align: 'right' },
  { title: 'PROBES', text: ({ probes }) => String(probes), align: 'right' },
  { title: 'BURN 1 H', text: burnWords, align: 'right' },
  { title: 'NOTES', text: (server) => printableColumns(notes(server)), shrinkTo: 12 },
];

interface Row extends MonitorSeries {
  readonly server: string;
}

type Duration = 'mean_ms' | 'min_ms' | 'p50_ms' | 'p95_ms' | 'p99_ms' | 'max_ms';

/** Failures have no latency. */
const timed =
  (figure: Duration) =>
  (row: Row): string =>
    row.count === row.failed ? '–' : ms(row[figure]);

const seriesColumns = (style: Style): readonly Column<Row>[] => [
  { title: 'SERVER', text: ({ server }) => server, paint: style.bold, shrinkTo: 10 },
  { title: 'METHOD', text: ({ method, tool }) => (tool === undefined ? method : `${method} ${tool}`), shrinkTo: 12 },
  { title: 'COUNT', text: ({ count }) => String(count), align: 'right' },
  { title: 'OK', text: ({ success_rate }) => percent(success_rate), align: 'right' },
  { title: 'MEAN', text: timed('mean_ms'), align: 'right' },
  { title: 'MIN', text: timed('min_ms'), align: 'right' },
  { title: 'P50', text: timed('p50_ms'), align: 'right' },
  { title: 'P95', text: timed('p95_ms'), align: 'right' },
  { title: 'P99', text: timed('p99_ms'), align: 'right' },
  { title: 'MAX', text: timed('max_ms'), align: 'right' },
];

const ALERTS_SHOWN = 5;

/** The whole view: servers, latencies in milliseconds, the last alerts. */
export const monitorWords = (view: MonitorView, { style, width }: Screen): string => {
  const rows = view.servers.flatMap(({ server_name: server, series }) => series.map((one) => ({ ...one, server })));
  const alerts = view.alerts
    .slice(0, ALERTS_SHOWN)
    .map(({ at, kind, server_name, message }) =>
      fitWidth(
        printableColumns(`${at.slice(0, 19).replace('T', ' ')}  ${kind.padEnd(11)} ${server_name}: ${message}`),
        width ?? Number.POSITIVE_INFINITY,
      ),
    );
  const schedule = view.enabled
    ? `A probe every ${view.interval_seconds} s; the figures cover the last 24 hours.`
    : 'Scheduled probes are off. Set monitor.enabled in plugboard.json, or give --probe.';
  return [
    style.dim(schedule),
    '',
    formatTable(serverColumns(style), view.servers, { style, width }).trimEnd(),
    ...(rows.length === 0 ? [] : ['', formatTable(seriesColumns(style), rows, { style, width }).trimEnd()]),
    ...(alerts.length === 0 ? [] : ['', style.bold('Alerts'), ...alerts]),
  ].join('\n');
};
