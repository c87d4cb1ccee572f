import { PlugboardError, toPlugboardError } from '@plugboard/contract';
import { buildNotification, isJsonObject, type JsonObject, RPC_CODE } from '@plugboard/wire';
import type { McpCall } from '../../call/mcp-call.js';
import { afterwards, type CallStep, type NextStep } from '../../call/step.js';
import { objectAt } from '../../rpc/members.js';
import { RpcRefusal } from '../../rpc/rpc-refusal.js';
import { declares, MAY_ASK } from '../../forward/bridge/client-capability.js';

/** Resolves when a login is over, in whichever way, or the time is up. */
export type LoginSettled = (sessionId: string, ms: number, signal: AbortSignal) => Promise<void>;

/** Clients give up on a request after a minute or so; one that comes back too early is asked again before that. */
const RETURN_MS = 45_000;
/** As long as a login can be completed. */
const LOGIN_MS = 10 * 60_000;

interface OfferedLogin {
  readonly url: string;
  readonly sessionId: string;
  readonly message: string;
}

/** How ids of logins begin: nothing else that a client answers is called so. */
const SESSION = /^mcp-oauth-/u;
const URL_MODE = { elicitation: { url: {} } };

const offeredLogin = ({ message, details }: PlugboardError): OfferedLogin | undefined => {
  const { authorization_url: url, session_id: sessionId } = details ?? {};
  return typeof url === 'string' && typeof sessionId === 'string' ? { url, sessionId, message } : undefined;
};

const declined = (): PlugboardError =>
  new PlugboardError('AUTH_REQUIRED', 'The server requires a login, and the user declined.', {
    hint: 'Call the tool again to get the login page.',
  });

const inputRequired = ({ url, sessionId, message }: OfferedLogin): JsonObject => ({
  resultType: 'input_required',
  inputRequests: { [sessionId]: { method: 'elicitation/create', params: { mode: 'url', url, message } } },
});

const urlElicitationRequired = (error: PlugboardError, { url, sessionId, message }: OfferedLogin): RpcRefusal =>
  new RpcRefusal(error.code, {
    code: RPC_CODE.urlElicitationRequired,
    message,
    data: { ...error.toJSON(), elicitations: [{ mode: 'url', elicitationId: sessionId, url, message }] },
  });

const withoutAnswer = (params: JsonObject, sessionId: string): JsonObject => {
  const { inputResponses, ...rest } = params;
  if (!isJsonObject(inputResponses)) return params;
  const { [sessionId]: _answer, ...others } = inputResponses;
  return Object.keys(others).length === 0 ? rest : { ...rest, inputResponses: others };
};

/** The answer to our own question is not the server's to see. */
const withoutAnswers = (call: McpCall, sessionIds: readonly string[]): McpCall => {
  const strip = (params: JsonObject): JsonObject => sessionIds.reduce(withoutAnswer, params);
  const { route } = call;
  return {
    ...call,
    params: strip(call.params),
    ...(route?.kind === 'upstream' ? { route: { ...route, params: strip(route.params) } } : {}),
  };
};

/** The logins that the client says are over. */
const answeredLogins = ({ params }: McpCall): readonly string[] =>
  params['inputResponses'] === undefined
    ? []
    : Object.keys(objectAt(params, 'inputResponses')).filter((key) => SESSION.test(key));

const afterLogin = async (call: McpCall, settled: LoginSettled): Promise<McpCall> => {
  const answers = objectAt(call.params, 'inputResponses');
  const sessionIds = answeredLogins(call);
  if (sessionIds.some((id) => objectAt(answers, id)['action'] !== 'accept')) throw declined();
  await Promise.all(sessionIds.map((id) => settled(id, RETURN_MS, call.signal)));
  return withoutAnswers(call, sessionIds);
};

/** A legacy client hears when the page that it opened has done its work. */
const tellWhenOver = ({ session }: McpCall, { sessionId }: OfferedLogin, settled: LoginSettled): void => {
  if (session === undefined) return;
  const gone = new AbortController();
  session.onEnd(() => gone.abort());
  settled(sessionId, LOGIN_MS, gone.signal).then(
    () => session.channel.notify(buildNotification('notifications/elicitation/complete', { elicitationId: sessionId })),
    () => undefined,
  );
};

const returned = async (call: McpCall, settled: LoginSettled, next: NextStep): Promise<unknown> =>
  next(await afterLogin(call, settled));

/** A client that comes back from a login: the call goes on when the login is over. */
export const goOnAfterLogin =
  (settled: LoginSettled): CallStep =>
  (call, next) =>
    call.client.revision.era === 'modern' && answeredLogins(call).length > 0
      ? returned(call, settled, next)
      : next(call);

/**
 * A server wants a login: clients that can show a URL are asked to, in the way of their era. Others get the error, which
 * names the URL too.
 */
export const askForLogin = (settled: LoginSettled): CallStep =>
  afterwards({
    failed: (call, thrown) => {
      const error = toPlugboardError(thrown);
      const offered = offeredLogin(error);
      if (offered === undefined || !declares(call.client.capabilities, URL_MODE)) throw thrown;
      call.notes?.flow?.decide('login asked for');
      if (call.client.revision.era === 'modern') {
        if (!MAY_ASK.has(call.method)) throw thrown;
        return inputRequired(offered);
      }
      tellWhenOver(call, offered, settled);
      throw urlElicitationRequired(error, offered);
    },
  });
