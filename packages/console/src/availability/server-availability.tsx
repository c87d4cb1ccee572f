import type { MonitoredServer, MonitorView } from '@plugboard/contract';
import { Activity } from 'lucide-react';
import { toApiError } from '../api/api-error.js';
import { useMonitor, useProbe } from '../api/monitor.js';
import { Badge } from '../ui/badge.js';
import { Button } from '../ui/button.js';
import { type Fact, FactList } from '../ui/fact-list.js';
import { Failure } from '../ui/failure.js';
import { Notice } from '../ui/notice.js';
import { Skeleton } from '../ui/skeleton.js';
import { Table } from '../ui/table.js';
import { useToast } from '../ui/toast.js';
import { ago, countsByName, percent, visible } from '../ui/format-text.js';
import { ProbeHistory } from './probe-history.js';
import {
  availabilityWords,
  budgetWords,
  burnWords,
  daysWords,
  expiryOf,
  inOrder,
  latencyWords,
  probeState,
  seriesName,
} from './probe-words.js';
import { ProbesOff } from './probes-off.js';

const Series = ({ server }: { readonly server: MonitoredServer }) => (
  <Table
    label="Steps of the probes"
    heads={['Step', 'Times', 'Failed', 'Succeeded', 'p50', 'p95', 'p99', 'Slowest', 'Errors']}
  >
    {inOrder(server.series).map((series) => (
      <tr key={seriesName(series)}>
        <th scope="row">{visible(seriesName(series))}</th>
        <td>{series.count}</td>
        <td>{series.failed}</td>
        <td>{series.success_rate === null ? '–' : percent(series.success_rate)}</td>
        <td>{latencyWords(series, 'p50_ms')}</td>
        <td>{latencyWords(series, 'p95_ms')}</td>
        <td>{latencyWords(series, 'p99_ms')}</td>
        <td>{latencyWords(series, 'max_ms')}</td>
        <td>{visible(countsByName(series.errors))}</td>
      </tr>
    ))}
  </Table>
);

const Facts = ({ server, view }: { readonly server: MonitoredServer; readonly view: MonitorView }) => {
  const { tone, word } = probeState(server.state);
  const rows: readonly Fact[] = [
    ['State', <Badge tone={tone}>{word}</Badge>],
    ...(server.reason === null ? [] : [['Reason', visible(server.reason)] as const]),
    ['Last probe', server.checked_at === null ? 'never' : ago(server.checked_at)],
    [`Availability in ${Math.round(view.window_seconds / 3600)} h`, availabilityWords(server.availability)],
    [`Error budget (objective ${percent(view.objective)})`, budgetWords(server)],
    ['Budget burns', burnWords(server)],
    ...expiryOf(server).map(
      ({ what, days, tone: end }) => [what, <Badge tone={end}>{daysWords(days)}</Badge>] as const,
    ),
  ];
  return <FactList facts={rows} />;
};

const Drift = ({ server: { drift } }: { readonly server: MonitoredServer }) =>
  drift === null ? null : (
    <Notice
      tone={drift.kind === 'compatible' ? 'info' : 'warn'}
      title={`What it offers differs from the ${drift.against === 'lock-file' ? 'lock file' : 'catalogue'} since ${ago(drift.since)} (${drift.kind}).`}
    >
      <ul>
        {drift.changes.map((change) => (
          <li key={change}>{visible(change)}</li>
        ))}
      </ul>
    </Notice>
  );

/** What probes of one server found. */
export const ServerAvailability = ({ id }: { readonly id: string }) => {
  const monitor = useMonitor();
  const probe = useProbe(id);
  const tell = useToast();
  if (monitor.isError && monitor.data === undefined) return <Failure error={toApiError(monitor.error)} />;
  if (monitor.data === undefined) return <Skeleton lines={6} />;
  const server = monitor.data.servers.find(({ server_id }) => server_id === id);
  return (
    <div className="stack">
      {monitor.data.enabled ? null : <ProbesOff />}
      <div className="actions">
        <Button
          icon={<Activity size={15} />}
          busy={probe.isPending}
          onClick={() =>
            probe.mutate(undefined, {
              onSuccess: ({ state }) => tell(state === 'up' ? 'The server answered.' : 'The probe failed.'),
              onError: (thrown) => tell(toApiError(thrown).message, 'bad'),
            })
          }
        >
          Probe now
        </Button>
      </div>
      {server === undefined ? (
        <p className="quiet">The monitor does not know this server yet.</p>
      ) : (
        <>
          <Drift server={server} />
          <Facts server={server} view={monitor.data} />
          {server.series.length === 0 ? null : <Series server={server} />}
          <ProbeHistory id={id} />
        </>
      )}
    </div>
  );
};
