import { isLogLevel, reaches } from '../definition/log-level.js';
import type { FakeCall, InputRequest, LogLevel, Progress } from '../definition/tool-call.js';
import { META } from '../json-rpc/meta-key.js';
import { isObject, notification, type JsonObject, type JsonRpcRequest } from '../json-rpc/message.js';
import { INTERNAL_ERROR, RpcError } from '../json-rpc/rpc-error.js';
import { announce } from './announce.js';
import type { Exchange } from './exchange.js';
import { answersOf, InputRequired, requireCapability } from './input-required.js';
import type { World } from './world.js';

type Answer = Readonly<Record<string, JsonObject>>;

const metaOf = (request: JsonRpcRequest): JsonObject =>
  isObject(request.params?.['_meta']) ? request.params['_meta'] : {};

const logThreshold = (exchange: Exchange, meta: JsonObject): LogLevel | undefined => {
  const wanted = exchange.era === 'modern' ? meta[META.logLevel] : (exchange.session?.logLevel ?? 'debug');
  return isLogLevel(wanted) ? wanted : undefined;
};

const askLegacy = async (requests: Readonly<Record<string, InputRequest>>, exchange: Exchange): Promise<Answer> => {
  const { session, signal } = exchange;
  if (session === undefined) throw new RpcError(INTERNAL_ERROR, 'A stateless server cannot ask its client');
  for (const request of Object.values(requests)) requireCapability(request, session.clientCapabilities, 'legacy');
  const answers = Object.entries(requests).map(async ([key, { method, params }]) => {
    // A form is what the older revisions know; they have no word for it.
    const legacyParams = Object.fromEntries(
      Object.entries(params ?? {}).filter(([name, value]) => name !== 'mode' || value !== 'form'),
    );
    return [key, await session.request(method, legacyParams, { via: exchange.send, signal })] as const;
  });
  return Object.fromEntries(await Promise.all(answers));
};

const declaredBy = (exchange: Exchange, meta: JsonObject): JsonObject => {
  const declared = exchange.era === 'modern' ? meta[META.clientCapabilities] : exchange.session?.clientCapabilities;
  return isObject(declared) ? declared : {};
};

const askModern = (requests: Readonly<Record<string, InputRequest>>, request: JsonRpcRequest, world: World): Answer => {
  const declared = metaOf(request)[META.clientCapabilities];
  for (const needed of Object.values(requests)) requireCapability(needed, isObject(declared) ? declared : {}, 'modern');
  const answers = answersOf(request, world.stateKey);
  const missing = Object.entries(requests).filter(([key]) => !(key in answers));
  if (missing.length > 0) throw new InputRequired(Object.fromEntries(missing));
  return answers;
};

/** The context of one handler: notifications go out with the request's answer, questions by the era's own way. */
export const fakeCall = (
  world: World,
  exchange: Exchange,
  request: JsonRpcRequest,
  settings: JsonObject = {},
): FakeCall => {
  const meta = metaOf(request);
  const ask = async (requests: Readonly<Record<string, InputRequest>>): Promise<Answer> =>
    exchange.era === 'modern' ? askModern(requests, request, world) : await askLegacy(requests, exchange);
  const askOne = async (asked: InputRequest): Promise<JsonObject> => {
    const key = asked.method;
    return (await ask({ [key]: asked }))[key] ?? {};
  };
  return {
    era: exchange.era,
    requestId: request.id,
    sessionId: exchange.era === 'legacy' ? exchange.session?.id : undefined,
    meta,
    task: exchange.era === 'legacy' && isObject(request.params?.['task']) ? request.params['task'] : undefined,
    clientCapabilities: declaredBy(exchange, meta),
    headers: exchange.headers,
    signal: exchange.signal,
    settings,
    host: world.host,
    progress: (progress: Progress) => {
      const progressToken = meta['progressToken'];
      if (progressToken === undefined || exchange.signal.aborted) return;
      exchange.send(notification('notifications/progress', { progressToken, ...progress }));
    },
    log: (level, data, logger) => {
      const threshold = logThreshold(exchange, meta);
      if (threshold === undefined || !reaches(level, threshold) || exchange.signal.aborted) return;
      exchange.send(
        notification('notifications/message', { level, data, ...(logger === undefined ? {} : { logger }) }),
      );
    },
    announce: (method, params) => announce(world, method, params),
    breakConnection: () => exchange.breakConnection?.(),
    ask,
    elicit: (params) => askOne({ method: 'elicitation/create', params }),
    sample: (params) => askOne({ method: 'sampling/createMessage', params }),
    roots: () => askOne({ method: 'roots/list' }),
  };
};
