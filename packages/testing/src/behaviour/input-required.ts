import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Era } from '../definition/era.js';
import type { InputRequest } from '../definition/tool-call.js';
import { isObject, type JsonObject, type JsonRpcRequest } from '../json-rpc/message.js';
import { INVALID_REQUEST, MISSING_CAPABILITY, RpcError, INVALID_PARAMS } from '../json-rpc/rpc-error.js';

/** Thrown out of a modern handler that lacks an answer: the request ends with an input_required result. */
export class InputRequired extends Error {
  readonly requests: Readonly<Record<string, InputRequest>>;

  constructor(requests: Readonly<Record<string, InputRequest>>) {
    super('input required');
    this.requests = requests;
  }
}

const subjectOf = ({ method, params }: JsonRpcRequest): string =>
  `${method} ${JSON.stringify(params?.['name'] ?? params?.['uri'])}`;

type Answers = Readonly<Record<string, JsonObject>>;

const sign = (payload: string, key: Uint8Array): Buffer => createHmac('sha256', key).update(payload).digest();

const refuse = (): never => {
  throw new RpcError(INVALID_PARAMS, 'Invalid requestState');
};

/** The answers so far, sealed for the client to carry; bound to the method and the name that it called. */
export const sealState = (subject: string, answers: Answers, key: Uint8Array): string => {
  const payload = Buffer.from(JSON.stringify({ subject, answers })).toString('base64url');
  return `${payload}.${sign(payload, key).toString('base64url')}`;
};

export const openState = (subject: string, state: unknown, key: Uint8Array): Answers => {
  if (state === undefined) return {};
  if (typeof state !== 'string') return refuse();
  const [payload = '', signature = ''] = state.split('.');
  const given = Buffer.from(signature, 'base64url');
  const expected = sign(payload, key);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return refuse();
  const opened: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
  if (!isObject(opened) || opened['subject'] !== subject || !isObject(opened['answers'])) return refuse();
  return opened['answers'] as Answers;
};

/** Everything that the client has answered so far in the rounds of this request. */
export const answersOf = (request: JsonRpcRequest, key: Uint8Array): Answers => {
  const earlier = openState(subjectOf(request), request.params?.['requestState'], key);
  const given = request.params?.['inputResponses'];
  const valid = Object.entries(isObject(given) ? given : {}).filter(([, answer]) => isObject(answer));
  return { ...earlier, ...(Object.fromEntries(valid) as Answers) };
};

export const inputRequiredResult = (request: JsonRpcRequest, needed: InputRequired, key: Uint8Array): JsonObject => ({
  resultType: 'input_required',
  inputRequests: needed.requests,
  requestState: sealState(subjectOf(request), answersOf(request, key), key),
});

const CAPABILITY: Readonly<Record<InputRequest['method'], string>> = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
};

/** Refuses to ask a client for what it did not declare. */
export const requireCapability = (request: InputRequest, declared: JsonObject, era: Era): void => {
  const capability = CAPABILITY[request.method];
  if (capability in declared) return;
  if (era === 'legacy') throw new RpcError(INVALID_REQUEST, `The client does not support ${capability}`);
  throw new RpcError(MISSING_CAPABILITY, `The client does not support ${capability}`, {
    data: { requiredCapabilities: { [capability]: {} } },
    httpStatus: 400,
  });
};
