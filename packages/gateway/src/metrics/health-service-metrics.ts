import type { HealthServiceStatus } from '@plugboard/contract';
import { Gauge, type Registry } from 'prom-client';

export type ServiceStates = () => Readonly<Record<string, HealthServiceStatus>>;

const MS_PER_SECOND = 1000;

/** Whether health-only services are well. One that was not asked yet has no figures. */
export const addServiceMetrics = (registry: Registry, read: ServiceStates): void => {
  const gauge = (name: string, help: string, figure: (status: HealthServiceStatus) => number | undefined): void => {
    const made: Gauge<'service'> = new Gauge({
      name,
      help,
      labelNames: ['service'],
      registers: [registry],
      collect: () => {
        made.reset();
        for (const [service, status] of Object.entries(read())) {
          const value = figure(status);
          if (value !== undefined) made.set({ service }, value);
        }
      },
    });
  };
  gauge('plugboard_service_up', 'Whether a health-only service is up (1) or down (0).', ({ state }) =>
    state === 'unknown' ? undefined : Number(state === 'up'),
  );
  gauge('plugboard_service_latency_seconds', 'How long a health-only service took to answer.', ({ latency_ms }) =>
    latency_ms === null ? undefined : latency_ms / MS_PER_SECOND,
  );
};
