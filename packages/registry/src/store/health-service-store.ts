import type { HealthService } from '@plugboard/contract';

/** Where health-only services are kept. */
export interface HealthServiceStore {
  /** By name. */
  all(): Promise<readonly HealthService[]>;
  /** Inserts, or replaces the one of that name. */
  put(service: HealthService): Promise<void>;
  /** False when there is none of that name. */
  remove(name: string): Promise<boolean>;
}
