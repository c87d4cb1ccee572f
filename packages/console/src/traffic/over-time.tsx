import type { CallHistory } from '@plugboard/contract';
import { lazy, Suspense, useMemo, useState } from 'react';
import { toApiError } from '../api/api-error.js';
import { useCallHistory } from '../api/watch.js';
import { Boundary } from '../ui/boundary.js';
import { Failure } from '../ui/failure.js';
import { Skeleton } from '../ui/skeleton.js';
import { counted, milliseconds, visible } from '../ui/words.js';
import { countLines, latencyLines, periodsOf, timesOf } from './chart-lines.js';

const Chart = lazy(() => import('../ui/chart.js'));

const HOUR_S = 3600;

const whole = (value: number): string => (Number.isInteger(value) ? value.toLocaleString('en') : '');

const Charts = ({ history }: { readonly history: CallHistory }) => {
  const [server, setServer] = useState('');
  const periods = useMemo(() => periodsOf(history, server), [history, server]);
  const times = useMemo(() => timesOf(periods), [periods]);
  const latency = useMemo(() => latencyLines(periods), [periods]);
  const counts = useMemo(() => countLines(periods), [periods]);
  const now = Math.ceil(Date.now() / 1000);
  const stretch = [now - HOUR_S, now] as const;
  const calls = periods.reduce((sum, { count }) => sum + count, 0);
  return (
    <div className="stack">
      <div className="filters">
        <select aria-label="Server" value={server} onChange={(event) => setServer(event.target.value)}>
          <option value="">All servers</option>
          {history.servers.map(({ server: name }) => (
            <option key={name} value={name}>
              {visible(name)}
            </option>
          ))}
        </select>
        <span className="quiet">{counted(calls, 'call')} in the last hour</span>
      </div>
      <Boundary fallback={<p className="quiet">This browser cannot show the charts. The table has the figures.</p>}>
        <Suspense fallback={<Skeleton lines={8} />}>
          <h2>How long calls took</h2>
          <Chart
            key={`latency ${server}`}
            label="Percentiles of the duration of calls by minute. The table below has the figures."
            times={times}
            series={latency}
            format={milliseconds}
            stretch={stretch}
          />
          <h2>How many there were</h2>
          <Chart
            key={`counts ${server}`}
            label="Calls and errors by minute. The table below has the figures."
            times={times}
            series={counts}
            format={whole}
            stretch={stretch}
          />
        </Suspense>
      </Boundary>
      <details>
        <summary>The figures as a table</summary>
        <div className="table-frame" tabIndex={0} role="region" aria-label="Calls by minute">
          <table>
            <thead>
              <tr>
                {['Minute', 'Calls', 'Failed', 'Tool errors', 'p50', 'p95', 'p99', 'Slowest'].map((head) => (
                  <th key={head} scope="col">
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {periods.map((period) => (
                <tr key={period.at}>
                  <th scope="row">{new Date(period.at).toLocaleTimeString()}</th>
                  <td>{period.count}</td>
                  <td>{period.failed}</td>
                  <td>{period.tool_errors}</td>
                  <td>{milliseconds(period.p50_ms)}</td>
                  <td>{milliseconds(period.p95_ms)}</td>
                  <td>{milliseconds(period.p99_ms)}</td>
                  <td>{milliseconds(period.max_ms)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </div>
  );
};

/** How calls went in the last hour. */
export const OverTime = () => {
  const history = useCallHistory();
  if (history.isError && history.data === undefined) return <Failure error={toApiError(history.error)} />;
  if (history.data === undefined) return <Skeleton lines={8} />;
  if (history.data.periods.length === 0) return <p className="quiet">No tool was called in the last hour.</p>;
  return <Charts history={history.data} />;
};
