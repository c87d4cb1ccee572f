import type { Role } from './principal.js';

/** What `/v1/session` answers: who is signed in. */
export interface WebSessionView {
  readonly principal: string;
  readonly role: Role;
  readonly agent_id: string | null;
  /** Sent as x-plugboard-csrf with every change; null for callers with a key. */
  readonly csrf_token: string | null;
  readonly expires_at: string | null;
}
