/** What a failure means to each surface: HTTP status, JSON-RPC code, process exit code, and a sentence for people. */
interface ErrorMeaning {
  readonly http: number;
  readonly jsonRpc: number;
  readonly exit: ExitCode;
  readonly meaning: string;
  /** May the same request succeed later without anyone changing it? */
  readonly temporary: boolean;
}

/** The CLI's only exit codes. */
export const EXIT = { ok: 0, failed: 1, usage: 2, notExamined: 3, unreachable: 4, denied: 5, incomplete: 6 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

const lasting = (http: number, jsonRpc: number, exit: ExitCode, meaning: string): ErrorMeaning => ({
  http,
  jsonRpc,
  exit,
  meaning,
  temporary: false,
});

const passing = (...row: Parameters<typeof lasting>): ErrorMeaning => ({ ...lasting(...row), temporary: true });

/** Every failure that a caller can tell apart. `docs/errors.md` is generated from this table. */
export const ERROR_CODES = {
  // the caller's request
  INVALID_ARGUMENT: lasting(400, -32602, EXIT.usage, 'A value in the request is wrong.'),
  INVALID_JSON: lasting(400, -32700, EXIT.usage, 'The body is not JSON, or is nested too deeply.'),
  INVALID_REQUEST: lasting(
    400,
    -32600,
    EXIT.usage,
    'The message is JSON, but not a request that this endpoint accepts.',
  ),
  STDIO_DISABLED: lasting(400, -32602, EXIT.denied, 'This hub is not allowed to start programs, or not this one.'),
  URL_REFUSED: lasting(400, -32602, EXIT.denied, 'This hub is not allowed to connect to the host of the URL.'),
  UNRESOLVED_VARIABLES: lasting(400, -32602, EXIT.usage, 'A template names variables that have no value.'),
  UNAUTHENTICATED: lasting(401, -32004, EXIT.denied, 'The request has no valid credentials.'),
  PERMISSION_DENIED: lasting(
    403,
    -32005,
    EXIT.denied,
    'The caller is not allowed to do this, or the server, tool or feature is disabled.',
  ),
  ORIGIN_REFUSED: lasting(
    403,
    -32600,
    EXIT.denied,
    'The request comes from a web page or host name that is not allowed to use this hub.',
  ),
  LOOP_DETECTED: lasting(
    508,
    -32600,
    EXIT.usage,
    'The request comes from this hub itself: the hub is registered as its own server.',
  ),
  NOT_FOUND: lasting(404, -32602, EXIT.usage, 'Nothing has this name or path.'),
  SERVER_NOT_FOUND: lasting(404, -32602, EXIT.usage, 'No server has this name or id.'),
  TOOL_NOT_FOUND: lasting(404, -32602, EXIT.usage, 'The server has no tool with this name or id.'),
  METHOD_NOT_FOUND: lasting(404, -32601, EXIT.usage, 'The endpoint does not serve this MCP method.'),
  METHOD_NOT_ALLOWED: lasting(405, -32600, EXIT.usage, 'The path does not support this HTTP method.'),
  CONFLICT: lasting(409, -32602, EXIT.usage, 'The name is already taken, or another change was made at the same time.'),
  PAYLOAD_TOO_LARGE: lasting(413, -32600, EXIT.usage, 'The body is larger than the limit.'),
  UNSUPPORTED_MEDIA_TYPE: lasting(415, -32600, EXIT.usage, 'The Content-Type of the body is not application/json.'),
  VALIDATION_FAILED: lasting(422, -32602, EXIT.usage, 'The body does not match the schema of the route.'),
  IDEMPOTENCY_KEY_REUSED: lasting(422, -32602, EXIT.usage, 'The idempotency key belongs to another request.'),
  IDEMPOTENCY_KEY_IN_USE: passing(
    409,
    -32602,
    EXIT.failed,
    'The request with this idempotency key is still being carried out.',
  ),
  RATE_LIMITED: passing(429, -32018, EXIT.failed, 'Too many requests. The response states when to retry.'),
  CANCELLED: lasting(499, -32800, EXIT.failed, 'The caller disconnected or cancelled the request.'),
  // the hub itself
  INTERNAL: lasting(500, -32603, EXIT.failed, 'A bug in Plugboard; the log has the cause.'),
  STORE_UNAVAILABLE: passing(503, -32603, EXIT.unreachable, 'The database cannot be reached or written.'),
  STORE_INCOMPATIBLE: lasting(503, -32603, EXIT.failed, 'The database was written by a newer Plugboard.'),
  SECRET_UNREADABLE: lasting(500, -32603, EXIT.failed, 'A stored secret cannot be decrypted with this master key.'),
  CONFIG_INVALID: lasting(500, -32603, EXIT.usage, 'The configuration is wrong; the message names the setting.'),
  HUB_UNREACHABLE: passing(503, -32603, EXIT.unreachable, 'No hub responds at this address.'),
  OVERLOADED: passing(
    503,
    -32019,
    EXIT.unreachable,
    'The hub is out of memory for more work, or the caller has used up its share; retry later.',
  ),
  HUB_STOPPING: passing(503, -32603, EXIT.unreachable, 'The hub is shutting down; another one may replace it.'),
  PORT_IN_USE: lasting(500, -32603, EXIT.unreachable, 'Another program is already listening on the port.'),
  INSECURE_BIND: lasting(
    500,
    -32603,
    EXIT.denied,
    'The hub does not listen beyond this machine without access control.',
  ),
  // the registered server
  UPSTREAM_REFUSED: passing(502, -32010, EXIT.unreachable, 'Nothing is listening at the address of the server.'),
  UPSTREAM_DNS: passing(502, -32010, EXIT.unreachable, 'The host name of the server cannot be resolved.'),
  UPSTREAM_TLS: lasting(502, -32010, EXIT.unreachable, 'The certificate of the server is not trusted, or TLS failed.'),
  UPSTREAM_TIMEOUT: passing(504, -32011, EXIT.unreachable, 'The server did not respond in time.'),
  UPSTREAM_CLOSED: passing(502, -32010, EXIT.unreachable, 'The server closed the connection.'),
  UPSTREAM_AUTH: lasting(502, -32012, EXIT.denied, 'The server rejected the credentials that the hub sent.'),
  UPSTREAM_AUTH_EXPIRED: lasting(502, -32012, EXIT.denied, 'The credentials for the server have expired.'),
  UPSTREAM_AUTH_REVOKED: lasting(502, -32012, EXIT.denied, 'The credentials for the server were revoked.'),
  UPSTREAM_SCOPE: lasting(
    502,
    -32012,
    EXIT.denied,
    'The credentials for the server lack a scope that this request needs.',
  ),
  AUTH_REQUIRED: lasting(502, -32012, EXIT.denied, 'The server requires a login first.'),
  AUTH_SERVER_UNAVAILABLE: passing(
    502,
    -32010,
    EXIT.unreachable,
    'The authorization server cannot be reached, or fails.',
  ),
  UPSTREAM_WRONG_URL: lasting(
    502,
    -32010,
    EXIT.unreachable,
    'The server responds, but this URL is not an MCP endpoint.',
  ),
  UPSTREAM_NOT_MCP: lasting(502, -32013, EXIT.failed, 'The program at this address is not an MCP server.'),
  UPSTREAM_PROTOCOL: lasting(502, -32013, EXIT.failed, 'The server returned an error or violated the protocol.'),
  UPSTREAM_UNAVAILABLE: passing(502, -32010, EXIT.unreachable, 'The server reports that it is unavailable.'),
  SESSION_LOST: passing(502, -32014, EXIT.failed, 'The server dropped the session, and a new session did not help.'),
  AMBIGUOUS_DELIVERY: lasting(
    502,
    -32015,
    EXIT.failed,
    'It is unknown whether the call was executed, so it was not retried.',
  ),
  CIRCUIT_OPEN: passing(
    503,
    -32016,
    EXIT.unreachable,
    'The server or model provider failed too often; the circuit breaker blocks calls for a while.',
  ),
  PROCESS_EXITED: passing(
    502,
    -32017,
    EXIT.failed,
    'The process of the server exited; the message quotes its last lines.',
  ),
  PROCESS_NOT_STARTED: lasting(502, -32017, EXIT.failed, 'The program of the server cannot be started.'),
  SANDBOX_UNAVAILABLE: lasting(
    502,
    -32017,
    EXIT.failed,
    'The program may only run in a sandbox, and this machine has none.',
  ),
  PROCESS_CRASH_LOOP: passing(
    503,
    -32017,
    EXIT.failed,
    'The program of the server keeps crashing; the hub waits before it restarts it.',
  ),
  PROCESS_MEMORY_LIMIT: lasting(
    502,
    -32017,
    EXIT.failed,
    'The process of the server exceeded its memory limit and was terminated.',
  ),
  // the provider of a model
  MODEL_RATE_LIMITED: passing(429, -32018, EXIT.failed, 'The model provider limits the rate of requests.'),
  MODEL_CONTEXT_EXCEEDED: lasting(400, -32602, EXIT.failed, 'The conversation is too long for the model.'),
  MODEL_AUTH: lasting(502, -32012, EXIT.denied, 'The model provider rejects the key, or does not allow the request.'),
  MODEL_NOT_FOUND: lasting(404, -32602, EXIT.usage, 'The model provider does not have this model or address.'),
  MODEL_CREDITS: lasting(402, -32012, EXIT.denied, 'The credits at the model provider are used up.'),
  MODEL_UNAVAILABLE: passing(503, -32010, EXIT.unreachable, 'The model provider is overloaded.'),
  MODEL_BAD_REQUEST: lasting(400, -32602, EXIT.failed, 'The model provider rejects the request.'),
  MODEL_TIMEOUT: passing(504, -32011, EXIT.unreachable, 'The model provider did not answer in time.'),
  MODEL_UNREACHABLE: passing(
    502,
    -32010,
    EXIT.unreachable,
    'The model provider cannot be reached, or the connection broke.',
  ),
  MODEL_FAILED: passing(502, -32013, EXIT.failed, 'The model provider failed, or its answer is empty or not valid.'),
} as const satisfies Record<string, ErrorMeaning>;

export type ErrorCode = keyof typeof ERROR_CODES;

export const errorCodes = Object.keys(ERROR_CODES) as readonly ErrorCode[];

export const isErrorCode = (value: unknown): value is ErrorCode =>
  typeof value === 'string' && Object.hasOwn(ERROR_CODES, value);

/** The code as metrics name it. */
export const metricLabel = (code: ErrorCode): string => code.toLowerCase();
