import type { CheckTier } from '@plugboard/contract';
import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { toApiError } from '../api/api-error.js';
import { useStartCheck } from '../api/checks.js';
import { useServers } from '../api/servers.js';
import { Button } from '../ui/button.js';
import { Failure } from '../ui/failure.js';
import { visible } from '../ui/words.js';

const TIERS: readonly (readonly [CheckTier, string])[] = [
  ['smoke', 'Smoke: a few seconds'],
  ['standard', 'Standard'],
  ['full', 'Full: every check that harms nothing'],
];

const SUITES = [
  'cancellation',
  'completion',
  'json-rpc',
  'lifecycle',
  'lint',
  'logging',
  'pagination',
  'progress',
  'prompts',
  'providers',
  'resources',
  'security',
  'server-requests',
  'streamable-http',
  'stdio',
  'subscriptions',
  'tasks',
  'tools',
];

/** Chooses a server, how deep, and which suites. */
export const StartCheck = () => {
  const servers = useServers();
  const start = useStartCheck();
  const [, navigate] = useLocation();
  const [server, setServer] = useState('');
  const [tier, setTier] = useState<CheckTier>('smoke');
  const [suite, setSuite] = useState('');
  const chosen = server === '' ? servers.data?.[0]?.server_name : server;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (chosen === undefined) return;
    start.mutate(
      { name: chosen, tier, ...(suite === '' ? {} : { suites: [suite] }) },
      { onSuccess: ({ id }) => navigate(`/checks/${id}`) },
    );
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
        <select aria-label="Suite" value={suite} onChange={(event) => setSuite(event.target.value)}>
          <option value="">All suites</option>
          {SUITES.map((value) => (
            <option key={value} value={value}>
              {value}
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
