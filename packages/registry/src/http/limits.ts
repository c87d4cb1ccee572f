import { MAX_JSON_DEPTH, MAX_REST_VALUES } from '@plugboard/contract';

export interface AdminLimits {
  readonly maxBodyBytes: number;
  readonly maxJsonDepth: number;
  readonly maxJsonValues: number;
  /** How long a connect stream may try before it gives up. */
  readonly connectDeadlineMs: number;
  /** How often a connect stream says that it is alive. */
  readonly heartbeatMs: number;
}

export const DEFAULT_LIMITS: AdminLimits = {
  maxBodyBytes: 4 * 1024 * 1024,
  maxJsonDepth: MAX_JSON_DEPTH,
  maxJsonValues: MAX_REST_VALUES,
  connectDeadlineMs: 120_000,
  heartbeatMs: 10_000,
};
