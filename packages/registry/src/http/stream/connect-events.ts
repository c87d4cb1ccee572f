import { PlugboardError, toPlugboardError, type ConnectEvent, type ToolDefinition } from '@plugboard/contract';
import { abortable } from '../../wait/abortable.js';

/** One try to reach a server. */
export interface ConnectAttempt {
  readonly serverName: string;
  readonly connect: (signal: AbortSignal) => Promise<readonly ToolDefinition[]>;
}

const LOGIN_HINT = 'Log in to servers arrives with OAuth support; until then put a token into auth_token.';

/** A 401 asks for credentials; a 403 says that the given ones are not enough. */
const wantsLogin = (error: PlugboardError): boolean =>
  error.code === 'UPSTREAM_AUTH' && (error.details?.['http_status'] ?? 401) === 401;

const failure = (error: PlugboardError): readonly ConnectEvent[] =>
  wantsLogin(error)
    ? [
        { event: 'oauth_required', message: 'The server wants the caller to log in.' },
        { event: 'error', message: LOGIN_HINT, error: { ...error.toJSON(), hint: LOGIN_HINT } },
      ]
    : [{ event: 'error', message: error.message, error: error.toJSON() }];

/** What happens on one connect, in order. Ends with `success` or `error`. */
export async function* connectEvents(
  attempt: ConnectAttempt,
  signal: AbortSignal,
  deadlineMs: number,
): AsyncGenerator<ConnectEvent> {
  yield { event: 'connection_attempt', server_name: attempt.serverName };
  const deadline = AbortSignal.timeout(deadlineMs);
  const either = AbortSignal.any([signal, deadline]);
  try {
    const tools = await abortable(attempt.connect(either), either);
    yield { event: 'success', tools: [...tools] };
  } catch (thrown) {
    yield* failure(
      deadline.aborted
        ? new PlugboardError('UPSTREAM_TIMEOUT', `The server did not answer within ${deadlineMs} ms.`, {
            hint: 'See that the server runs and is not overloaded, then try again.',
          })
        : toPlugboardError(thrown),
    );
  }
}
