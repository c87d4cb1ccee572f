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
  server: target.server.server_name,
  transport: target.line.transport,
  callId: flow.subject.callId,
});

const downstreamOf = ({ flow, endpoint }: SeenCall) => ({ transport: 'http', endpoint, callId: flow.subject.callId });

/** A call that was passed on as bytes: as it came from the client, and as it went to the server. */
export const seeDirectCall = (flows: FlowWatch, seen: SeenCall, call: WrittenCall, body: Buffer): void => {
  flows.see({ ...downstreamOf(seen), direction: 'received', message: call.bytes.toString() });
  flows.see({ ...upstreamOf(seen), direction: 'sent', message: body.toString() });
};

/** Its answer, as it came from the server, and as it went to the client. */
export const seeDirectAnswer = (
  flows: FlowWatch,
  seen: SeenCall,
  { received, sent }: { readonly received: Buffer; readonly sent: Buffer },
): void => {
  const read = (message: Buffer) => JSON.parse(message.toString()) as object;
  flows.see({ ...upstreamOf(seen), direction: 'received', message: read(received) });
  flows.see({ ...downstreamOf(seen), direction: 'sent', message: read(sent) });
};
