import { anySignal } from '@plugboard/base';
import {
  durationWords,
  hearHint,
  PlugboardError,
  toPlugboardError,
  type ConnectEvent,
  type OAuthSession,
  type ToolDefinition,
} from '@plugboard/contract';
import { cancellable } from '../../wait/cancellable.js';

/** One try to reach a server. */
export interface ConnectAttempt {
  readonly serverName: string;
  readonly connect: (signal: AbortSignal) => Promise<readonly ToolDefinition[]>;
  /** Waits until somebody has logged in, or cannot any more; undefined where nobody can log in. */
  readonly loggedIn?: ((sessionId: string, ms: number, signal: AbortSignal) => Promise<OAuthSession>) | undefined;
}

const LOGIN_HINT = 'The server publishes no OAuth metadata. Put a token into auth_token.';

const ABOUT_LOGIN: ReadonlySet<string> = new Set([
  'UPSTREAM_AUTH',
  'UPSTREAM_AUTH_EXPIRED',
  'UPSTREAM_AUTH_REVOKED',
  'AUTH_REQUIRED',
]);

/** A 401 asks for credentials; a 403 says that the given ones are not enough. */
const wantsLogin = (error: PlugboardError): boolean =>
  ABOUT_LOGIN.has(error.code) && (error.details?.['http_status'] ?? 401) === 401;

interface OfferedLogin {
  readonly url: string;
  readonly sessionId: OAuthSession['id'];
  readonly expiresAt: string;
}

const offeredLogin = ({ details }: PlugboardError): OfferedLogin | undefined => {
  const { authorization_url: url, session_id: sessionId, expires_at: expiresAt } = details ?? {};
  return typeof url === 'string' && typeof sessionId === 'string' && typeof expiresAt === 'string'
    ? { url, sessionId: sessionId as OAuthSession['id'], expiresAt }
    : undefined;
};

const failure = (error: PlugboardError): ConnectEvent => ({
  event: 'error',
  message: error.message,
  error: error.toJSON(),
});

const tooSlow = (deadlineMs: number): PlugboardError =>
  new PlugboardError('UPSTREAM_TIMEOUT', `The server did not answer within ${durationWords(deadlineMs)}.`, {
    hint: 'Check that the server is running and not overloaded, then try again.',
  });

const tryOnce = async (
  attempt: ConnectAttempt,
  signal: AbortSignal,
  deadlineMs: number,
): Promise<readonly ToolDefinition[] | PlugboardError> => {
  const deadline = AbortSignal.timeout(deadlineMs);
  const either = anySignal(signal, deadline);
  try {
    return await cancellable(attempt.connect(either), either);
  } catch (thrown) {
    return deadline.aborted ? tooSlow(deadlineMs) : toPlugboardError(thrown);
  }
};

/** Sends somebody to the login, and waits. Returns the error that ended it, if any. */
async function* login(
  offered: OfferedLogin,
  loggedIn: NonNullable<ConnectAttempt['loggedIn']>,
  signal: AbortSignal,
): AsyncGenerator<ConnectEvent, PlugboardError | undefined> {
  const { url, sessionId, expiresAt } = offered;
  yield { event: 'authorization_url', url, session_id: sessionId, expires_at: expiresAt };
  yield { event: 'waiting_for_auth', message: 'Waiting for the login at that URL.' };
  try {
    const ms = Math.max(0, Date.parse(expiresAt) - Date.now());
    const { status, error } = await loggedIn(sessionId, ms, signal);
    if (status === 'authorized') return undefined;
    return new PlugboardError(
      error?.code ?? 'AUTH_REQUIRED',
      error?.message ?? 'The login was not completed in time.',
      {
        hint: (error && hearHint(error)) ?? 'Connect again to start a new login.',
      },
    );
  } catch (thrown) {
    return toPlugboardError(thrown);
  }
}

/** What happens on one connect, in order. Ends with `success` or `error`. */
export async function* connectEvents(
  attempt: ConnectAttempt,
  signal: AbortSignal,
  deadlineMs: number,
): AsyncGenerator<ConnectEvent> {
  yield { event: 'connection_attempt', server_name: attempt.serverName };
  let outcome = await tryOnce(attempt, signal, deadlineMs);
  if (outcome instanceof PlugboardError && wantsLogin(outcome)) {
    yield { event: 'oauth_required', message: 'The server requires a login.' };
    const offered = offeredLogin(outcome);
    if (offered === undefined || attempt.loggedIn === undefined) {
      yield {
        event: 'error',
        message: LOGIN_HINT,
        error: { ...outcome.toJSON(), hint: LOGIN_HINT, cli_hint: undefined },
      };
      return;
    }
    const ended = yield* login(offered, attempt.loggedIn, signal);
    outcome = ended ?? (await tryOnce(attempt, signal, deadlineMs));
  }
  yield outcome instanceof PlugboardError ? failure(outcome) : { event: 'success', tools: [...outcome] };
}
