import { createHash } from 'node:crypto';
import { McpClientError } from '@plugboard/client';
import {
  IDEMPOTENCY_HEADER,
  idempotencyKeyIn,
  type KeptFailure,
  type KeyedRequests,
  MAX_KEPT_CHARS,
  PlugboardError,
  toPlugboardError,
} from '@plugboard/contract';
import { isJsonObject, type JsonRpcErrorBody } from '@plugboard/wire';
import { bindingOfCaller } from '../../call/caller.js';
import type { McpCall } from '../../call/mcp-call.js';
import type { CallStep, NextStep } from '../../call/step.js';
import { failureOf } from '../../rpc/failure-of.js';
import { readRaw, writtenSize } from '../../rpc/raw-json.js';
import { RpcRefusal } from '../../rpc/rpc-refusal.js';

/** Marks a result that was kept. */
const REPEATED_META = 'dev.plugboard/repeated';

/**
 * The call without what is about this one message, and with the rights of its caller: what one token was answered is not for
 * another of the same person that allows something else.
 */
const contentOf = ({ client, scope, params }: McpCall): string =>
  JSON.stringify(['tools/call', scope.id, params['name'], params['arguments'] ?? {}, bindingOfCaller(client.caller)]);

/**
 * A client that answers what it was asked sends its call again, with the key of the first round. Each round is carried out
 * once: its key is what it brings back, behind a space that no key of a client has.
 */
const keyOfRound = (key: string, { params: { requestState, inputResponses } }: McpCall): string => {
  if (requestState === undefined && inputResponses === undefined) return key;
  const brought = JSON.stringify([requestState ?? null, inputResponses ?? null]);
  return `${key} ${createHash('sha256').update(brought).digest('hex')}`;
};

const marked = (result: unknown): unknown =>
  isJsonObject(result)
    ? { ...result, _meta: { ...(isJsonObject(result['_meta']) ? result['_meta'] : {}), [REPEATED_META]: true } }
    : result;

/** No character takes more in UTF-8. */
const MAX_CHARACTER_BYTES = 3;

/** What is too large to be kept is not read: that would keep other calls waiting. */
const writeKept = (result: unknown): string | undefined =>
  writtenSize(result) > MAX_KEPT_CHARS * MAX_CHARACTER_BYTES ? undefined : JSON.stringify(readRaw(result));

/** What the server itself answered goes back as it came. */
const isOfServer = (thrown: unknown): boolean =>
  thrown instanceof RpcRefusal || (thrown instanceof McpClientError && thrown.rpc !== undefined);

const writeFailure = (thrown: unknown): KeptFailure => {
  const { code, message, hint } = toPlugboardError(thrown);
  return {
    code,
    message,
    ...(hint === undefined ? {} : { hint }),
    ...(isOfServer(thrown) ? { rpc: failureOf(thrown) } : {}),
  };
};

const readFailure = ({ code, message, hint, rpc }: KeptFailure): Error =>
  isJsonObject(rpc)
    ? new RpcRefusal(code, rpc as unknown as JsonRpcErrorBody)
    : new PlugboardError(code, message, { hint });

const runOnce = async (requests: KeyedRequests, call: McpCall, next: NextStep): Promise<unknown> => {
  const key = idempotencyKeyIn(call.headers[IDEMPOTENCY_HEADER]);
  if (key === undefined) return next(call);
  const request = { caller: call.client.caller.principal, key: keyOfRound(key, call), content: contentOf(call) };
  const { value, isRepeated } = await requests.run(request, {
    perform: () => next(call),
    write: writeKept,
    read: (text): unknown => JSON.parse(text),
    writeFailure,
    readFailure,
  });
  if (isRepeated) call.notes?.flow?.decide('repeated by its idempotency key');
  return isRepeated ? marked(value) : value;
};

/** Tool calls with an idempotency key are carried out once; a repetition gets the first outcome. */
export const carryOutOnce =
  (requests: KeyedRequests): CallStep =>
  (call, next) =>
    call.headers[IDEMPOTENCY_HEADER] === undefined || call.method !== 'tools/call'
      ? next(call)
      : runOnce(requests, call, next);
