import type { CheckTier } from '@plugboard/contract';
import { X } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { toApiError } from '../api/api-error.js';
import { useStartCheck } from '../api/checks.js';
import { firstReady, useServers } from '../api/servers.js';
import { Button } from '../ui/button.js';
import { Choice } from '../ui/choice.js';
import { Failure } from '../ui/failure.js';
import { visible } from '../ui/format-text.js';

const TIERS: readonly (readonly [CheckTier, string])[] = [
  ['smoke', 'Smoke: a few seconds'],
  ['standard', 'Standard'],
  ['full', 'Full: every check that harms nothing'],
];

const SUITES = [
  'authorization',
  'cancellation',
  'completion',
  'json-rpc',
  'lifecycle',
  'lint',
  'logging',
  'multi-round-trip',
  'pagination',
  'progress',
  'prompts',
  'providers',
  'resources',
  'security',
  'server-requests',
  'sse',
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
  const [suites, setSuites] = useState<readonly string[]>([]);
  const chosen = server === '' ? firstReady(servers.data ?? [])?.server_name : server;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (chosen === undefined) return;
    start.mutate(
      { name: chosen, tier, ...(suites.length === 0 ? {} : { suites: [...suites] }) },
      { onSuccess: ({ id }) => navigate(`/checks/${id}`) },
    );
  };
  if (servers.data?.length === 0) {
    return (
      <p>
        There is no server to check yet. <Link href="/servers/new">Add a server</Link> first.
      </p>
    );
  }
  return (
    <form className="stack" onSubmit={submit}>
      {start.isError ? <Failure error={toApiError(start.error)} /> : null}
      <div className="filters">
        <Choice
          label="Server"
          value={chosen ?? ''}
          options={(servers.data ?? []).map(({ server_name }) => [server_name, visible(server_name)] as const)}
          onChange={setServer}
        />
        <Choice label="Depth" value={tier} options={TIERS} onChange={setTier} />
        <Choice
          label="Suite"
          value=""
          options={[
            ['', suites.length === 0 ? 'All suites' : 'Add a suite'],
            ...SUITES.filter((value) => !suites.includes(value)).map((value) => [value, value] as const),
          ]}
          onChange={(value) => setSuites([...suites, value])}
        />
        {suites.map((value) => (
          <Button
            key={value}
            icon={<X size={14} />}
            aria-label={`Remove ${value}`}
            onClick={() => setSuites(suites.filter((one) => one !== value))}
          >
            {value}
          </Button>
        ))}
        <Button type="submit" look="main" busy={start.isPending} disabled={chosen === undefined}>
          Start check
        </Button>
      </div>
    </form>
  );
};
