import { toPlugboardError } from '@plugboard/contract';
import { buildFailure } from '@plugboard/wire';
import { followed, type FlowWatch, withSeenReply } from '../call/flow-watch.js';
import type { McpCall } from '../call/mcp-call.js';
import type { NextStep } from '../call/step.js';
import { failureOf, modernStatusOf, withCallId } from '../rpc/failure-of.js';
import { partlyWrittenResult, writeResult, writtenResult } from '../rpc/raw-json.js';

export interface Answered {
  /** The JSON-RPC response. */
  readonly text: () => string;
  /** The same in pieces that are kept for everybody, where it is there already. */
  readonly bytes?: readonly Buffer[] | undefined;
  /** The same in pieces that are for this client alone. */
  readonly pieces?: readonly Buffer[] | undefined;
  /** The status over Streamable HTTP of the modern era. */
  readonly status: number;
}

export interface AnswerParts {
  readonly pipeline: NextStep;
  /** Follows requests and messages on demand. */
  readonly flows?: FlowWatch | undefined;
  /** How clients are connected here. */
  readonly transport?: string | undefined;
  readonly onInternalError: (error: unknown) => void;
}

const answerUnseen = async ({ pipeline, onInternalError }: AnswerParts, call: McpCall): Promise<Answered> => {
  try {
    const result = await pipeline(call);
    return {
      text: () => writeResult(call.id, result),
      bytes: writtenResult(call.id, result),
      pieces: partlyWrittenResult(call.id, result),
      status: 200,
    };
  } catch (thrown) {
    if (toPlugboardError(thrown).code === 'INTERNAL' && !call.signal.aborted) onInternalError(thrown);
    const failure = withCallId(failureOf(thrown), call.notes?.flow?.subject.callId);
    return { text: () => JSON.stringify(buildFailure(call.id, failure)), status: modernStatusOf(thrown, failure) };
  }
};

const answerSeen = async (parts: AnswerParts, flows: FlowWatch, call: McpCall): Promise<Answered> => {
  const { id, method, params } = call;
  const transport = parts.transport ?? 'http';
  const shared = { transport, endpoint: call.scope.id, callId: call.notes?.flow?.subject.callId };
  // One that left the fast path was seen there.
  if (call.sent === undefined) {
    flows.see({ ...shared, direction: 'received', message: { jsonrpc: '2.0', id, method, params } });
  }
  const answered = await answerUnseen(parts, withSeenReply(flows, call, transport));
  flows.see({ ...shared, direction: 'sent', message: answered.text() });
  return answered;
};

/** Sends a request through the gateway; whatever happens becomes a response. */
export const answerCall = (parts: AnswerParts, call: McpCall): Promise<Answered> => {
  const { flows } = parts;
  const current = followed(flows, call);
  return flows?.followsMessages === true ? answerSeen(parts, flows, current) : answerUnseen(parts, current);
};
