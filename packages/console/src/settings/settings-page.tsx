import type { ReactNode } from 'react';
import { toApiError } from '../api/api-error.js';
import { useReady } from '../api/watch.js';
import { Badge } from '../ui/badge.js';
import { Failure } from '../ui/failure.js';
import { Page } from '../ui/page.js';
import { Skeleton } from '../ui/skeleton.js';

/** How the hub itself is. Its settings are in its configuration file, which only its owner edits. */
export const SettingsPage = () => {
  const ready = useReady();
  const { data } = ready;
  const rows: readonly (readonly [string, ReactNode])[] =
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
          ['Services', Object.keys(data.services).join(', ') || 'none are watched'],
        ];
  return (
    <Page
      title="Settings"
      about="The hub reads its settings from its configuration file and its environment. This page shows how it is."
    >
      {ready.isError ? <Failure error={toApiError(ready.error)} /> : null}
      {data === undefined ? (
        <Skeleton lines={3} />
      ) : (
        <dl className="facts">
          {rows.map(([name, value]) => (
            <div key={name} className="fact">
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
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
