import { useMemo, useState } from 'react';
import { toApiError } from '../api/api-error.js';
import { type HistorySpan, useMonitorHistory } from '../api/monitor.js';
import { Choice } from '../ui/choice.js';
import { Failure } from '../ui/failure.js';
import { HistoryCharts } from '../ui/history-charts.js';
import { Skeleton } from '../ui/skeleton.js';
import { Table } from '../ui/table.js';
import { milliseconds, percent, visible } from '../ui/format-text.js';
import { bucketsOf, latencyLines, namesIn, secondsOf, successLines } from './history-lines.js';

const FIRST: HistorySpan = { hours: 6, bucketMinutes: 5 };
const SPANS: readonly (HistorySpan & { readonly title: string })[] = [
  { ...FIRST, title: 'last 6 hours' },
  { hours: 24, bucketMinutes: 15, title: 'last day' },
  { hours: 168, bucketMinutes: 120, title: 'last week' },
];

/** How the probes of a server went: latencies and the share that succeeded, from the store. */
export const ProbeHistory = ({ id }: { readonly id: string }) => {
  const [hours, setHours] = useState(FIRST.hours);
  const [picked, setPicked] = useState('');
  const span = SPANS.find((one) => one.hours === hours) ?? FIRST;
  const history = useMonitorHistory(id, span);
  const all = history.data?.buckets;
  const names = useMemo(() => namesIn(all ?? []), [all]);
  const name = names.includes(picked) ? picked : (names[0] ?? '');
  const buckets = useMemo(() => bucketsOf(all ?? [], name), [all, name]);
  const times = useMemo(() => secondsOf(buckets), [buckets]);
  const latency = useMemo(() => latencyLines(buckets), [buckets]);
  const success = useMemo(() => successLines(buckets), [buckets]);
  if (history.isError && history.data === undefined) return <Failure error={toApiError(history.error)} />;
  return (
    <section className="stack" aria-label="History of the probes">
      <div className="filters">
        <Choice
          label="Time of the history"
          value={hours}
          options={SPANS.map(({ hours: value, title }) => [value, title] as const)}
          onChange={setHours}
        />
        {names.length === 0 ? null : (
          <Choice
            label="Step of the probe"
            value={name}
            options={names.map((one) => [one, visible(one)] as const)}
            onChange={setPicked}
          />
        )}
      </div>
      {all === undefined ? <Skeleton lines={6} /> : null}
      {all?.length === 0 ? <p className="quiet">There are no probes in this time.</p> : null}
      {buckets.length === 0 ? null : (
        <HistoryCharts
          of={`${name} ${hours}`}
          times={times}
          hours={hours}
          charts={[
            {
              title: 'How long the step took',
              label: 'Percentiles of the duration of the step. The table below has the figures.',
              series: latency,
              format: milliseconds,
            },
            {
              title: 'How often it succeeded',
              label: 'Share of probes that succeeded. The table below has the figures.',
              series: success,
              format: percent,
            },
          ]}
        >
          <Table label="Probes over time" heads={['From', 'Times', 'Failed', 'p50', 'p95', 'p99']}>
            {buckets.map((bucket) => (
              <tr key={bucket.from}>
                <th scope="row">{new Date(bucket.from).toLocaleString()}</th>
                <td>{bucket.count}</td>
                <td>{bucket.failed}</td>
                <td>{bucket.failed >= bucket.count ? '–' : milliseconds(bucket.p50_ms)}</td>
                <td>{bucket.failed >= bucket.count ? '–' : milliseconds(bucket.p95_ms)}</td>
                <td>{bucket.failed >= bucket.count ? '–' : milliseconds(bucket.p99_ms)}</td>
              </tr>
            ))}
          </Table>
        </HistoryCharts>
      )}
    </section>
  );
};
