import type { CheckRun, CheckTier } from '@plugboard/contract';
import { type FormEvent, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { toApiError } from '../api/api-error.js';
import { useCheckRuns, useStartCheck } from '../api/checks.js';
import { useServers } from '../api/servers.js';
import { Badge } from '../ui/badge.js';
import { Button } from '../ui/button.js';
import { Empty } from '../ui/empty.js';
import { Failure } from '../ui/failure.js';
import { Page } from '../ui/page.js';
import { Skeleton } from '../ui/skeleton.js';
import { ago, visible } from '../ui/words.js';
import { runWords } from './run-words.js';

const TIERS: readonly (readonly [CheckTier, string])[] = [
  ['smoke', 'Smoke: a few seconds'],
  ['standard', 'Standard'],
  ['full', 'Full: every check that harms nothing'],
];

const StartForm = () => {
  const servers = useServers();
  const start = useStartCheck();
  const [, navigate] = useLocation();
  const [server, setServer] = useState('');
  const [tier, setTier] = useState<CheckTier>('smoke');
  const chosen = server === '' ? servers.data?.[0]?.server_name : server;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (chosen !== undefined) {
      start.mutate({ name: chosen, tier }, { onSuccess: ({ id }) => navigate(`/checks/${id}`) });
    }
  };
  return (
    <form className="stack" onSubmit={submit}>
      {start.isError ? <Failure error={toApiError(start.error)} /> : null}
      <div className="filters">
        <select aria-label="Server" value={chosen ?? ''} onChange={(event) => setServer(event.target.value)}>
          {(servers.data ?? []).map(({ id, server_name }) => (
            <option key={id} value={server_name}>
              {visible(server_name)}
            </option>
          ))}
        </select>
        <select aria-label="Depth" value={tier} onChange={(event) => setTier(event.target.value as CheckTier)}>
          {TIERS.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
        <Button type="submit" look="main" busy={start.isPending} disabled={chosen === undefined}>
          Start check
        </Button>
      </div>
    </form>
  );
};

const Row = ({ run }: { readonly run: CheckRun }) => {
  const { tone, word } = runWords(run);
  return (
    <li>
      <Link href={`/checks/${run.id}`} className="row check-row">
        <span className="row-name">{visible(run.target.label)}</span>
        <Badge tone={tone}>{word}</Badge>
        <span className="quiet">{run.tier}</span>
        <span className="quiet row-note">
          {run.summary === undefined
            ? `${run.done} of ${run.planned ?? '?'} checks`
            : `${run.summary.pass} passed, ${run.summary.fail} failed, ${run.summary.warn} warnings`}
        </span>
        <span className="quiet">{ago(run.created_at)}</span>
      </Link>
    </li>
  );
};

export const ChecksPage = () => {
  const runs = useCheckRuns();
  return (
    <Page
      title="Checks"
      about="The referee examines a server: protocol, robustness, security. Each finding has its evidence."
    >
      <StartForm />
      {runs.isError ? <Failure error={toApiError(runs.error)} /> : null}
      {runs.data === undefined && !runs.isError ? <Skeleton /> : null}
      {runs.data?.length === 0 ? (
        <Empty title="No runs yet">
          <p>Choose a server and start one. It takes a few seconds and changes nothing on the server.</p>
        </Empty>
      ) : null}
      {runs.data === undefined || runs.data.length === 0 ? null : (
        <ul className="card rows">
          {runs.data.map((run) => (
            <Row key={run.id} run={run} />
          ))}
        </ul>
      )}
    </Page>
  );
};
