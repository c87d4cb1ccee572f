import type { CallHistory } from '@plugboard/contract';
import { useMemo, useState } from 'react';
import { toApiError } from '../api/api-error.js';
import { useCallHistory } from '../api/watch.js';
import { Choice } from '../ui/choice.js';
import { Failure } from '../ui/failure.js';
import { HistoryCharts } from '../ui/history-charts.js';
import { Skeleton } from '../ui/skeleton.js';
import { Table } from '../ui/table.js';
import { counted, milliseconds, visible } from '../ui/format-text.js';
import { countLines, latencyLines, periodsOf, timesOf } from './chart-lines.js';

const whole = (value: number): string => (Number.isInteger(value) ? value.toLocaleString('en') : '');

const Charts = ({ history }: { readonly history: CallHistory }) => {
  const [server, setServer] = useState('');
  const periods = useMemo(() => periodsOf(history, server), [history, server]);
  const times = useMemo(() => timesOf(periods), [periods]);
  const latency = useMemo(() => latencyLines(periods), [periods]);
  const counts = useMemo(() => countLines(periods), [periods]);
  const calls = periods.reduce((sum, { count }) => sum + count, 0);
  return (
    <div className="stack">
      <div className="filters">
        <Choice
          label="Server"
          value={server}
          options={[['', 'All servers'], ...history.servers.map(({ server: name }) => [name, visible(name)] as const)]}
          onChange={setServer}
        />
        <span className="quiet">{counted(calls, 'call')} in the last hour</span>
      </div>
      <HistoryCharts
        of={server}
        times={times}
        hours={1}
        charts={[
          {
            title: 'How long calls took',
            label: 'Percentiles of the duration of calls by minute. The table below has the figures.',
            series: latency,
            format: milliseconds,
          },
          {
            title: 'How many there were',
            label: 'Calls and errors by minute. The table below has the figures.',
            series: counts,
            format: whole,
          },
        ]}
      >
        <Table
          label="Calls by minute"
          heads={['Minute', 'Calls', 'Failed', 'Tool errors', 'p50', 'p95', 'p99', 'Slowest']}
        >
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
        </Table>
      </HistoryCharts>
    </div>
  );
};

/** How calls went in the last hour. */
export const OverTime = () => {
  const history = useCallHistory();
  if (history.isError && history.data === undefined) return <Failure error={toApiError(history.error)} />;
  if (history.data === undefined) return <Skeleton lines={8} />;
  if (history.data.periods.length === 0) {
    return <p className="quiet">No tool was called in the last hour. A restart of the hub clears these figures.</p>;
  }
  return <Charts history={history.data} />;
};
