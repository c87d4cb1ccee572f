import { toPlugboardError } from '@plugboard/contract';
import { buildFailure, type JsonRpcRequest } from '@plugboard/wire';
import { LOCAL_CALLER } from '../../call/caller.js';
import { answerCall, type AnswerParts } from '../../session/answer-call.js';
import { eraOf } from '../../session/era-of.js';
import { legacyCall } from '../../session/legacy-call.js';
import { modernCall } from '../../session/modern-call.js';
import { greet, type OpenSessionParts, statelessFacts } from '../../session/open-session.js';
import { readInitialize } from '../../session/read-initialize.js';
import { readMessages } from '../../session/read-messages.js';
import { type HttpAnswer, emptyAnswer, errorAnswer, type HttpRequest, jsonAnswer } from '../../http/http-request.js';
import { failureOf, writeFailure } from '../../rpc/failure-of.js';
import { writeResult } from '../../rpc/raw-json.js';
import { RpcRefusal } from '../../rpc/rpc-refusal.js';
import type { Scope } from '../../call/scope.js';
import { PlugboardError } from '@plugboard/contract';

export type InProcessParts = AnswerParts & OpenSessionParts;

const SILENT = { notify: () => undefined };

const textAnswer = (status: number, body: string): HttpAnswer => ({ ...jsonAnswer(status, null), body });

const initialize = async (parts: InProcessParts, scope: Scope, { id, params }: JsonRpcRequest): Promise<HttpAnswer> => {
  try {
    const introduction = readInitialize(params);
    return textAnswer(200, writeResult(id, await greet(parts, scope, introduction)));
  } catch (thrown) {
    if (toPlugboardError(thrown).code === 'INTERNAL') parts.onInternalError(thrown);
    return textAnswer(200, writeFailure(id, thrown));
  }
};

const answerRequest = async (
  parts: InProcessParts,
  scope: Scope,
  request: JsonRpcRequest,
  signal: AbortSignal,
): Promise<HttpAnswer> => {
  if (eraOf(request, {}) === 'modern') {
    const { text, status } = await answerCall(
      parts,
      modernCall(request, { caller: LOCAL_CALLER, scope, reply: SILENT, signal }),
    );
    return textAnswer(status, text());
  }
  if (request.method === 'initialize') return initialize(parts, scope, request);
  const client = statelessFacts(undefined, LOCAL_CALLER);
  const call = legacyCall(request, { scope, client, session: undefined, reply: SILENT, signal });
  return textAnswer(200, (await answerCall(parts, call)).text());
};

/** One POSTed message from inside this process: no session, no stream, plain JSON. */
export const answerInProcess = async (
  parts: InProcessParts,
  scope: Scope,
  request: HttpRequest,
): Promise<HttpAnswer> => {
  if (request.method !== 'POST') {
    const error = new PlugboardError('METHOD_NOT_ALLOWED', `This endpoint accepts POST, not ${request.method}.`, {
      hint: 'POST one JSON-RPC message.',
    });
    return errorAnswer(error, { allow: 'POST' });
  }
  try {
    const { messages, isBatch } = readMessages(request.body);
    const [message] = messages;
    if (isBatch || message === undefined) {
      throw new PlugboardError('INVALID_REQUEST', 'Batches are not accepted here.', { hint: 'Send one message.' });
    }
    return message.kind === 'request'
      ? await answerRequest(parts, scope, message.message, request.signal)
      : emptyAnswer(202);
  } catch (thrown) {
    const error = toPlugboardError(thrown);
    const status = error instanceof RpcRefusal ? (error.status ?? 200) : error.httpStatus;
    return jsonAnswer(status, buildFailure(null, failureOf(error)));
  }
};
