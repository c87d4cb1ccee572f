import { type ErrorCode, toPlugboardError } from '@plugboard/contract';

/** Whether a request that failed was carried out: it had no effect, it was answered with the failure, or nobody knows. */
export type Delivery = 'not-executed' | 'answered' | 'ambiguous';

/** What is found out before anything is done. */
const REFUSALS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'INVALID_ARGUMENT',
  'INVALID_JSON',
  'INVALID_REQUEST',
  'STDIO_DISABLED',
  'URL_REFUSED',
  'UNRESOLVED_VARIABLES',
  'UNAUTHENTICATED',
  'PERMISSION_DENIED',
  'ORIGIN_REFUSED',
  'LOOP_DETECTED',
  'NOT_FOUND',
  'SERVER_NOT_FOUND',
  'TOOL_NOT_FOUND',
  'METHOD_NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'CONFLICT',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'VALIDATION_FAILED',
  'RATE_LIMITED',
  'OVERLOADED',
  'HUB_STOPPING',
  'CIRCUIT_OPEN',
  'AUTH_REQUIRED',
]);

/** Nobody knows how far it came. */
const DOUBTS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'AMBIGUOUS_DELIVERY',
  'CANCELLED',
  'INTERNAL',
  'STORE_UNAVAILABLE',
  'UPSTREAM_TIMEOUT',
  'UPSTREAM_CLOSED',
  'SESSION_LOST',
  'PROCESS_EXITED',
  'PROCESS_MEMORY_LIMIT',
]);

const isDelivery = (value: unknown): value is Delivery =>
  value === 'not-executed' || value === 'answered' || value === 'ambiguous';

export const deliveryOf = (thrown: unknown): Delivery => {
  // Errors of the client of servers say it themselves.
  const said: unknown = thrown instanceof Error && 'delivery' in thrown ? thrown.delivery : undefined;
  if (isDelivery(said)) return said;
  const { code } = toPlugboardError(thrown);
  if (REFUSALS.has(code)) return 'not-executed';
  return DOUBTS.has(code) ? 'ambiguous' : 'answered';
};
