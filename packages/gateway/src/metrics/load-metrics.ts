import type { CallLoad, CatalogueSnapshot, ServerId } from '@plugboard/contract';
import { Gauge, type Registry } from 'prom-client';

export interface LoadSources {
  readonly snapshot: () => CatalogueSnapshot;
  /** What goes on between all callers and a server. */
  readonly load: (id: ServerId) => CallLoad;
}

const CIRCUITS = ['closed', 'open', 'half-open'] as const;

/** Whether servers are left alone after failures, and how many calls are on their way to them. */
export const addLoadMetrics = (registry: Registry, { snapshot, load }: LoadSources): void => {
  const gauge = (name: string, help: string, set: (made: Gauge, server: string, now: CallLoad) => void): void => {
    const made: Gauge = new Gauge({
      name,
      help,
      labelNames: ['server', 'state'],
      registers: [registry],
      collect: () => {
        made.reset();
        for (const { server } of snapshot().entries) set(made, server.server_name, load(server.id));
      },
    });
  };
  gauge(
    'plugboard_circuit_state',
    'Whether the circuit of a server is in this state (1) or not (0).',
    (made, server, now) => {
      for (const state of CIRCUITS) made.set({ server, state }, Number(now.circuit === state));
    },
  );
  gauge('plugboard_calls', 'Calls that run at a server or wait for their turn.', (made, server, now) => {
    made.set({ server, state: 'running' }, now.calls_running);
    made.set({ server, state: 'queued' }, now.calls_queued);
  });
};
