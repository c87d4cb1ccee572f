import { toApiError } from '../api/api-error.js';
import { useHealthServices } from '../api/maintenance.js';
import { useReady } from '../api/watch.js';
import { Badge } from '../ui/badge.js';
import { type Fact, FactList } from '../ui/fact-list.js';
import { Failure } from '../ui/failure.js';
import { Notice } from '../ui/notice.js';
import { Page } from '../ui/page.js';
import { Skeleton } from '../ui/skeleton.js';
import { HealthServices } from './health-services.js';
import { Maintenance } from './maintenance.js';
import { unreadyReasons } from './unready-reasons.js';

/** How the hub itself is, and what can be changed while it runs. The rest is in its configuration file. */
export const SettingsPage = () => {
  const ready = useReady();
  const services = useHealthServices();
  const { data } = ready;
  const rows: readonly Fact[] =
    data === undefined
      ? []
      : [
          ['State', <Badge tone={data.status === 'ready' ? 'good' : 'warn'}>{data.status}</Badge>],
          ['Store', <Badge tone={data.store === 'ok' ? 'good' : 'bad'}>{data.store}</Badge>],
          [
            'Programs',
            data.processes === undefined
              ? '–'
              : `${data.processes.running} of at most ${data.processes.max} running, ${data.processes.waiting} waiting`,
          ],
        ];
  const reasons = data === undefined ? [] : unreadyReasons(data);
  return (
    <Page
      title="Settings"
      about="The state of the hub, and what can be changed while it runs. Everything else is in its configuration file."
    >
      {ready.isError ? <Failure error={toApiError(ready.error)} /> : null}
      {reasons.length === 0 ? null : (
        <Notice tone="warn" title="The hub is not ready">
          {reasons.map((reason) => (
            <p key={reason}>{reason}</p>
          ))}
        </Notice>
      )}
      {data === undefined ? null : <FactList facts={rows} />}
      {data === undefined && !ready.isError ? <Skeleton lines={3} /> : null}
      {/* Below lists whose length is not known yet, the rest would move. */}
      {ready.isPending || services.isPending ? null : (
        <>
          <HealthServices />
          <Maintenance />
        </>
      )}
      <p className="actions">
        <a href="/docs/configuration" target="_blank" rel="noreferrer">
          What can be configured
        </a>
        <a href="/docs/api" target="_blank" rel="noreferrer">
          The API
        </a>
      </p>
    </Page>
  );
};
