import { IDEMPOTENCY_HEADER } from '@plugboard/contract';
import { LATEST_LEGACY } from '@plugboard/wire';
import { type Caller, LOCAL_CALLER } from '../../call/caller.js';
import type { NextStep } from '../../call/step.js';
import { legacyCall } from '../../session/legacy-call.js';
import { statelessFacts } from '../../session/open-session.js';
import { readRaw } from '../../rpc/raw-json.js';
import type { Scopes } from '../../offer/scope/scopes.js';
import type { Scope } from '../../call/scope.js';
import type { ServerQuestions } from '../../call/mcp-call.js';
import type { SentCall } from '../../call/sent-call.js';
import type { HttpRequest } from '../../http/http-request.js';
import type { CallTool } from './server-endpoints.js';

export interface PlainCall {
  readonly scope: Scope;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly caller: Caller;
  readonly signal: AbortSignal;
  readonly idempotencyKey?: HttpRequest['idempotencyKey'];
  /** Present when the call was sent to its server already. */
  readonly sent?: SentCall | undefined;
  readonly questions?: ServerQuestions | undefined;
}

/** Sends a plain call through the same steps as every other request: it is guarded, counted and written down. */
export const plainCall = async (
  pipeline: NextStep,
  { scope, tool, args, caller, signal, idempotencyKey: key, sent, questions }: PlainCall,
): Promise<unknown> => {
  const params = { name: tool, arguments: args };
  const call = legacyCall(
    { jsonrpc: '2.0', id: 0, method: 'tools/call', params },
    {
      scope,
      client: { ...statelessFacts(LATEST_LEGACY, caller), ...(questions && { capabilities: questions.capabilities }) },
      session: undefined,
      reply: { notify: () => undefined, ask: questions?.ask },
      // One with a key is not cancelled when its caller disconnects: a repetition gets its result.
      signal: key === undefined ? signal : new AbortController().signal,
      headers: key === undefined ? undefined : { [IDEMPOTENCY_HEADER]: key },
      sent,
    },
  );
  return readRaw(await pipeline(call));
};

export const restCall =
  (scopes: Scopes, pipeline: NextStep): CallTool =>
  ({ kind, name, tool }, args, { caller = LOCAL_CALLER, ...request }) => {
    const whole = kind === 'server' ? scopes.server(name, caller) : scopes.toolset(name, caller);
    const { signal, idempotencyKey, sent, questions } = request;
    const scope = scopes.for(whole, caller);
    return plainCall(pipeline, { scope, tool, args, caller, signal, idempotencyKey, sent, questions });
  };
