import type { HealthService, HealthServiceCreate, HealthServiceStatus, HealthServiceView } from '@plugboard/contract';

/** Services that a deployment depends on and that speak no MCP. */
export interface HealthServices {
  /** By name, each with what was last found. */
  list(): Promise<readonly HealthServiceView[]>;
  /** Rejects with NOT_FOUND. */
  get(name: string): Promise<HealthServiceView>;
  /** Asks it once before it answers. Rejects with CONFLICT when the name is taken. */
  create(input: HealthServiceCreate, signal?: AbortSignal): Promise<HealthServiceView>;
  /** As the configuration says: there afterwards, whether it was there before or not. */
  declare(input: HealthServiceCreate): Promise<HealthService>;
  /** Rejects with NOT_FOUND. */
  remove(name: string): Promise<void>;
  /** What was last found, by name, without asking anybody. */
  states(): Readonly<Record<string, HealthServiceStatus>>;
}
