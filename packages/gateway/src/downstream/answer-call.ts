import { toPlugboardError } from '@plugboard/contract';
import { buildFailure } from '@plugboard/wire';
import type { McpCall } from '../call/mcp-call.js';
import type { NextStep } from '../call/step.js';
import { failureOf, modernStatusOf } from '../rpc/failure-of.js';
import { writeResult, writtenResult } from '../rpc/raw-json.js';

export interface Answered {
  /** The JSON-RPC response. */
  readonly text: string;
  /** The same in pieces, where it is there already. */
  readonly bytes?: readonly Buffer[] | undefined;
  /** The status over Streamable HTTP of the modern era. */
  readonly status: number;
}

export interface AnswerParts {
  readonly pipeline: NextStep;
  readonly onInternalError: (error: unknown) => void;
}

/** Sends a request through the gateway; whatever happens becomes a response. */
export const answerCall = async ({ pipeline, onInternalError }: AnswerParts, call: McpCall): Promise<Answered> => {
  try {
    const result = await pipeline(call);
    return { text: writeResult(call.id, result), bytes: writtenResult(call.id, result), status: 200 };
  } catch (thrown) {
    if (toPlugboardError(thrown).code === 'INTERNAL' && !call.signal.aborted) onInternalError(thrown);
    const failure = failureOf(thrown);
    return { text: JSON.stringify(buildFailure(call.id, failure)), status: modernStatusOf(thrown, failure) };
  }
};
