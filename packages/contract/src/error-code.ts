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
  INVALID_JSON: lasting(400, -32700, EXIT.usage, 'The body is not JSON, or is nested beyond reason.'),
  INVALID_REQUEST: lasting(400, -32600, EXIT.usage, 'The message is JSON, but no request that this endpoint takes.'),
  STDIO_DISABLED: lasting(400, -32602, EXIT.denied, 'This hub may not start programs, or not this one.'),
  URL_REFUSED: lasting(400, -32602, EXIT.denied, 'This hub may not connect to the host of the URL.'),
  UNRESOLVED_VARIABLES: lasting(400, -32602, EXIT.usage, 'A template names variables that have no value.'),
  UNAUTHENTICATED: lasting(401, -32004, EXIT.denied, 'The hub does not know the caller.'),
  PERMISSION_DENIED: lasting(403, -32005, EXIT.denied, 'The caller may not do this, or the thing is switched off.'),
  ORIGIN_REFUSED: lasting(
    403,
    -32600,
    EXIT.denied,
    'The request comes from a web page or host name that may not use this hub.',
  ),
  LOOP_DETECTED: lasting(
    508,
    -32600,
    EXIT.usage,
    'The request comes from this hub itself: it is registered in itself.',
  ),
  NOT_FOUND: lasting(404, -32602, EXIT.usage, 'There is nothing by this name or path.'),
  SERVER_NOT_FOUND: lasting(404, -32602, EXIT.usage, 'No server is registered under this name or id.'),
  TOOL_NOT_FOUND: lasting(404, -32602, EXIT.usage, 'The server has no tool of this name or id.'),
  METHOD_NOT_FOUND: lasting(404, -32601, EXIT.usage, 'The endpoint does not serve this MCP method.'),
  METHOD_NOT_ALLOWED: lasting(405, -32600, EXIT.usage, 'The path exists, but not for this HTTP method.'),
  CONFLICT: lasting(409, -32602, EXIT.usage, 'The name is taken, or somebody else changed the thing first.'),
  PAYLOAD_TOO_LARGE: lasting(413, -32600, EXIT.usage, 'The body is larger than the limit.'),
  UNSUPPORTED_MEDIA_TYPE: lasting(415, -32600, EXIT.usage, 'The body is not declared as application/json.'),
  VALIDATION_FAILED: lasting(422, -32602, EXIT.usage, 'The body does not have the shape that the route takes.'),
  RATE_LIMITED: passing(429, -32018, EXIT.failed, 'Too many requests; the answer says when to come back.'),
  CANCELLED: lasting(499, -32800, EXIT.failed, 'The caller went away or took the request back.'),
  // the hub itself
  INTERNAL: lasting(500, -32603, EXIT.failed, 'A defect of Plugboard; the log has the cause.'),
  STORE_UNAVAILABLE: passing(503, -32603, EXIT.unreachable, 'The database cannot be reached or written.'),
  STORE_INCOMPATIBLE: lasting(503, -32603, EXIT.failed, 'The database was written by a newer Plugboard.'),
  SECRET_UNREADABLE: lasting(500, -32603, EXIT.failed, 'A stored secret cannot be decrypted with this master key.'),
  CONFIG_INVALID: lasting(500, -32603, EXIT.usage, 'The configuration is wrong; the sentence names the place.'),
  HUB_UNREACHABLE: passing(503, -32603, EXIT.unreachable, 'No hub answers at this address.'),
  OVERLOADED: passing(
    503,
    -32019,
    EXIT.unreachable,
    'The hub has no memory left for more work, or the caller has used up its share; it recovers by itself.',
  ),
  HUB_STOPPING: passing(503, -32603, EXIT.unreachable, 'The hub is about to stop; another one may take its place.'),
  PORT_IN_USE: lasting(500, -32603, EXIT.unreachable, 'Another program listens on the port.'),
  INSECURE_BIND: lasting(
    500,
    -32603,
    EXIT.denied,
    'The hub refuses to listen beyond this machine without access control.',
  ),
  // the registered server
  UPSTREAM_REFUSED: passing(502, -32010, EXIT.unreachable, 'Nobody listens at the address of the server.'),
  UPSTREAM_DNS: passing(502, -32010, EXIT.unreachable, 'The host name of the server cannot be resolved.'),
  UPSTREAM_TLS: lasting(502, -32010, EXIT.unreachable, 'The certificate of the server is not trusted, or TLS failed.'),
  UPSTREAM_TIMEOUT: passing(504, -32011, EXIT.unreachable, 'The server did not answer in time.'),
  UPSTREAM_CLOSED: passing(502, -32010, EXIT.unreachable, 'The server closed the connection.'),
  UPSTREAM_AUTH: lasting(502, -32012, EXIT.denied, 'The server does not accept our credentials.'),
  UPSTREAM_AUTH_EXPIRED: lasting(502, -32012, EXIT.denied, 'Our credentials for the server have expired.'),
  UPSTREAM_AUTH_REVOKED: lasting(502, -32012, EXIT.denied, 'Our credentials for the server were taken back.'),
  UPSTREAM_SCOPE: lasting(502, -32012, EXIT.denied, 'Our credentials for the server do not cover this request.'),
  AUTH_REQUIRED: lasting(502, -32012, EXIT.denied, 'Somebody has to log in to the server first.'),
  AUTH_SERVER_UNAVAILABLE: passing(
    502,
    -32010,
    EXIT.unreachable,
    'The authorization server of the server cannot be reached, or fails.',
  ),
  UPSTREAM_WRONG_URL: lasting(
    502,
    -32010,
    EXIT.unreachable,
    'The server answers, but there is no MCP endpoint at this URL.',
  ),
  UPSTREAM_NOT_MCP: lasting(502, -32013, EXIT.failed, 'What answers is not an MCP server.'),
  UPSTREAM_PROTOCOL: lasting(502, -32013, EXIT.failed, 'The server answered with an error, or broke the protocol.'),
  UPSTREAM_UNAVAILABLE: passing(502, -32010, EXIT.unreachable, 'The server says that it cannot serve now.'),
  SESSION_LOST: passing(502, -32014, EXIT.failed, 'The server forgot the session, and a new one did not help.'),
  AMBIGUOUS_DELIVERY: lasting(
    502,
    -32015,
    EXIT.failed,
    'Nobody can know whether the call was executed, so it was not repeated.',
  ),
  CIRCUIT_OPEN: passing(503, -32016, EXIT.unreachable, 'The server failed too often and is left alone for a while.'),
  PROCESS_EXITED: passing(502, -32017, EXIT.failed, 'The process of the server ended; its last lines are quoted.'),
  PROCESS_NOT_STARTED: lasting(502, -32017, EXIT.failed, 'The program of the server cannot be started.'),
  SANDBOX_UNAVAILABLE: lasting(
    502,
    -32017,
    EXIT.failed,
    'The program may only run in a sandbox, and this machine offers none.',
  ),
  PROCESS_CRASH_LOOP: passing(
    503,
    -32017,
    EXIT.failed,
    'The program of the server ends again and again; it is left alone for a while.',
  ),
  PROCESS_MEMORY_LIMIT: lasting(
    502,
    -32017,
    EXIT.failed,
    'The process of the server used more memory than it may, and was ended.',
  ),
} as const satisfies Record<string, ErrorMeaning>;

export type ErrorCode = keyof typeof ERROR_CODES;

export const errorCodes = Object.keys(ERROR_CODES) as readonly ErrorCode[];

export const isErrorCode = (value: unknown): value is ErrorCode =>
  typeof value === 'string' && Object.hasOwn(ERROR_CODES, value);

/** The code as metrics name it. */
export const metricLabel = (code: ErrorCode): string => code.toLowerCase();
