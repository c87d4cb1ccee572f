import { z } from 'zod';
import type { AgentId, ServerId } from '../field/identifier.js';

/**
 * What a caller may do. `admin`: everything. `operator`: everything but who has access. `agent`: the tools it was given.
 * `viewer`: look at everything that is not secret, and call nothing.
 */
export const role = z.enum(['admin', 'operator', 'agent', 'viewer']);
export type Role = z.infer<typeof role>;

/** Who makes a request, once that has been proven. */
export interface Principal {
  /** The same for the same caller, and for nobody else. */
  readonly id: string;
  readonly role: Role;
  /** The agent on whose behalf the request is made. */
  readonly agent?: AgentId | undefined;
  /** The only servers that it may use; all when left out. */
  readonly servers?: readonly ServerId[] | undefined;
}

/** Any caller on this machine, where no access control is configured. */
export const LOCAL_PRINCIPAL: Principal = { id: 'local', role: 'admin' };

/** Somebody who did not say who they are, at a route that is for everybody. */
export const ANONYMOUS_PRINCIPAL: Principal = { id: 'anonymous', role: 'viewer', servers: [] };
