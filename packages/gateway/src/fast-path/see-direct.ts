import type { CallFlow } from '../call/call-flow.js';
import type { FlowWatch } from '../call/flow-watch.js';
import type { DirectTarget } from './direct-target.js';
import type { WrittenCall } from './written-call.js';

interface SeenCall {
  readonly flow: CallFlow;
  readonly endpoint: string;
  readonly target: DirectTarget;
}

const upstreamOf = ({ flow, target }: SeenCall) => ({
  server: target.tool.server.server_name,
  transport: target.line.transport,
  callId: flow.subject.callId,
});

const downstreamOf = ({ flow, endpoint }: SeenCall) => ({ transport: 'http', endpoint, callId: flow.subject.callId });

/** A call that was passed on as bytes: as it came from the client, and as it went to the server. */
export const seeDirectCall = (flows: FlowWatch, seen: SeenCall, call: WrittenCall, body: Buffer): void => {
  flows.see({ ...downstreamOf(seen), direction: 'received', message: call.bytes.toString() });
  flows.see({ ...upstreamOf(seen), direction: 'sent', message: body.toString() });
};

/** Its answer, which the client gets under its own id. */
export const seeDirectAnswer = (flows: FlowWatch, seen: SeenCall, answer: Buffer): void => {
  const message = JSON.parse(answer.toString()) as object;
  flows.see({ ...upstreamOf(seen), direction: 'received', message });
  flows.see({ ...downstreamOf(seen), direction: 'sent', message: { ...message, id: seen.flow.subject.id } });
};
