/** What a failure means to each surface: HTTP status, JSON-RPC code and process exit code. */
interface ErrorMeaning {
  readonly http: number;
  readonly jsonRpc: number;
  readonly exit: ExitCode;
  /** May the same request succeed later without anyone changing it? */
  readonly temporary: boolean;
}

/** The CLI's only exit codes. */
export const EXIT = { ok: 0, failed: 1, usage: 2, notExamined: 3, unreachable: 4, denied: 5 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

const meaning = (http: number, jsonRpc: number, exit: ExitCode, temporary = false): ErrorMeaning => ({
  http,
  jsonRpc,
  exit,
  temporary,
});

/** Every failure that a caller can tell apart. `docs/errors.md` is generated from this table. */
export const ERROR_CODES = {
  // the caller's request
  INVALID_ARGUMENT: meaning(400, -32602, EXIT.usage),
  INVALID_JSON: meaning(400, -32700, EXIT.usage),
  INVALID_REQUEST: meaning(400, -32600, EXIT.usage),
  STDIO_DISABLED: meaning(400, -32602, EXIT.denied),
  UNRESOLVED_VARIABLES: meaning(400, -32602, EXIT.usage),
  UNAUTHENTICATED: meaning(401, -32004, EXIT.denied),
  PERMISSION_DENIED: meaning(403, -32005, EXIT.denied),
  ORIGIN_REFUSED: meaning(403, -32600, EXIT.denied),
  NOT_FOUND: meaning(404, -32602, EXIT.usage),
  SERVER_NOT_FOUND: meaning(404, -32602, EXIT.usage),
  TOOL_NOT_FOUND: meaning(404, -32602, EXIT.usage),
  METHOD_NOT_FOUND: meaning(404, -32601, EXIT.usage),
  METHOD_NOT_ALLOWED: meaning(405, -32600, EXIT.usage),
  CONFLICT: meaning(409, -32602, EXIT.usage),
  PAYLOAD_TOO_LARGE: meaning(413, -32600, EXIT.usage),
  UNSUPPORTED_MEDIA_TYPE: meaning(415, -32600, EXIT.usage),
  VALIDATION_FAILED: meaning(422, -32602, EXIT.usage),
  RATE_LIMITED: meaning(429, -32018, EXIT.failed, true),
  CANCELLED: meaning(499, -32800, EXIT.failed),
  // the hub itself
  INTERNAL: meaning(500, -32603, EXIT.failed),
  STORE_UNAVAILABLE: meaning(503, -32603, EXIT.unreachable, true),
  STORE_INCOMPATIBLE: meaning(503, -32603, EXIT.failed),
  SECRET_UNREADABLE: meaning(500, -32603, EXIT.failed),
  CONFIG_INVALID: meaning(500, -32603, EXIT.usage),
  HUB_UNREACHABLE: meaning(503, -32603, EXIT.unreachable, true),
  PORT_IN_USE: meaning(500, -32603, EXIT.unreachable),
  INSECURE_BIND: meaning(500, -32603, EXIT.denied),
  // the registered server
  UPSTREAM_REFUSED: meaning(502, -32010, EXIT.unreachable, true),
  UPSTREAM_DNS: meaning(502, -32010, EXIT.unreachable, true),
  UPSTREAM_TLS: meaning(502, -32010, EXIT.unreachable),
  UPSTREAM_TIMEOUT: meaning(504, -32011, EXIT.unreachable, true),
  UPSTREAM_CLOSED: meaning(502, -32010, EXIT.unreachable, true),
  UPSTREAM_AUTH: meaning(502, -32012, EXIT.denied),
  UPSTREAM_WRONG_URL: meaning(502, -32010, EXIT.unreachable),
  UPSTREAM_NOT_MCP: meaning(502, -32013, EXIT.failed),
  UPSTREAM_PROTOCOL: meaning(502, -32013, EXIT.failed),
  UPSTREAM_UNAVAILABLE: meaning(502, -32010, EXIT.unreachable, true),
  SESSION_LOST: meaning(502, -32014, EXIT.failed, true),
  AMBIGUOUS_DELIVERY: meaning(502, -32015, EXIT.failed),
  CIRCUIT_OPEN: meaning(503, -32016, EXIT.unreachable, true),
  PROCESS_EXITED: meaning(502, -32017, EXIT.failed, true),
  PROCESS_NOT_STARTED: meaning(502, -32017, EXIT.failed),
  PROCESS_CRASH_LOOP: meaning(503, -32017, EXIT.failed, true),
  PROCESS_MEMORY_LIMIT: meaning(502, -32017, EXIT.failed),
} as const satisfies Record<string, ErrorMeaning>;

export type ErrorCode = keyof typeof ERROR_CODES;

export const errorCodes = Object.keys(ERROR_CODES) as readonly ErrorCode[];

export const isErrorCode = (value: unknown): value is ErrorCode =>
  typeof value === 'string' && Object.hasOwn(ERROR_CODES, value);

/** The code as metrics name it. */
export const metricLabel = (code: ErrorCode): string => code.toLowerCase();
