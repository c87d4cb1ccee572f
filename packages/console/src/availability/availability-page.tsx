import type { MonitorAlert, MonitoredServer } from '@plugboard/contract';
import { Link } from 'wouter';
import { toApiError } from '../api/api-error.js';
import { useMonitor } from '../api/monitor.js';
import { Badge } from '../ui/badge.js';
import { Empty } from '../ui/empty.js';
import { Failure } from '../ui/failure.js';
import { Page } from '../ui/page.js';
import { Skeleton } from '../ui/skeleton.js';
import { Table } from '../ui/table.js';
import { ago, visible } from '../ui/format-text.js';
import {
  availabilityWords,
  budgetWords,
  daysWords,
  expiryOf,
  inOrder,
  latencyWords,
  probeState,
  worstFirst,
} from './probe-words.js';
import { ProbesOff } from './probes-off.js';

const Row = ({ server }: { readonly server: MonitoredServer }) => {
  const { tone, word } = probeState(server.state);
  const [first] = inOrder(server.series);
  const [expiry] = expiryOf(server).toSorted((left, right) => left.days - right.days);
  return (
    <tr>
      <th scope="row">
        <Link href={`/servers/${server.server_id}/availability`}>{visible(server.server_name)}</Link>
      </th>
      <td>
        <Badge tone={tone} {...(server.reason === null ? {} : { title: visible(server.reason) })}>
          {word}
        </Badge>
      </td>
      <td>{availabilityWords(server.availability)}</td>
      <td>{latencyWords(first, 'p50_ms')}</td>
      <td>{latencyWords(first, 'p95_ms')}</td>
      <td>{budgetWords(server)}</td>
      <td>{server.drift === null ? '–' : <Badge tone="warn">{server.drift.kind}</Badge>}</td>
      <td>
        {expiry === undefined ? (
          '–'
        ) : (
          <Badge tone={expiry.tone} title={expiry.what}>
            {daysWords(expiry.days)}
          </Badge>
        )}
      </td>
      <td>{server.checked_at === null ? 'never' : ago(server.checked_at)}</td>
    </tr>
  );
};

const HEADS = ['Server', 'State', 'Availability', 'p50', 'p95', 'Error budget', 'Drift', 'Expiry', 'Last probe'];

const Alerts = ({ alerts }: { readonly alerts: readonly MonitorAlert[] }) => (
  <section className="stack tight">
    <h2>Alerts</h2>
    {alerts.length === 0 ? (
      <p className="quiet">None.</p>
    ) : (
      <ul className="card rows" aria-label="Alerts">
        {alerts.map(({ at, kind, server_id, server_name, message }) => (
          <li key={`${at} ${kind} ${server_id}`} className="row alert-row">
            <Badge tone={kind === 'up' ? 'good' : kind === 'down' ? 'bad' : 'warn'}>{kind}</Badge>
            <span>{visible(`${server_name}: ${message}`)}</span>
            <time className="quiet" dateTime={at}>
              {ago(at)}
            </time>
          </li>
        ))}
      </ul>
    )}
  </section>
);

/** Whether servers answer: an overview of the probes. */
export const AvailabilityPage = () => {
  const monitor = useMonitor();
  return (
    <Page title="Availability" about="Results of the probes. The least available servers come first.">
      {monitor.isError && monitor.data === undefined ? <Failure error={toApiError(monitor.error)} /> : null}
      {monitor.data === undefined && !monitor.isError ? <Skeleton lines={6} /> : null}
      {monitor.data === undefined ? null : (
        <>
          {monitor.data.enabled ? null : <ProbesOff />}
          {monitor.data.servers.length === 0 ? (
            <Empty title="No servers">
              <p>
                <Link href="/servers/new">Add a server</Link> to see whether it answers.
              </p>
            </Empty>
          ) : (
            <Table label="Availability of servers" heads={HEADS}>
              {worstFirst(monitor.data.servers).map((server) => (
                <Row key={server.server_id} server={server} />
              ))}
            </Table>
          )}
          <Alerts alerts={monitor.data.alerts} />
        </>
      )}
    </Page>
  );
};
