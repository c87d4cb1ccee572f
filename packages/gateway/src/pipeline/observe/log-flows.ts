import type { CallFlow } from '../../call/call-flow.js';
import type { CallRecord, CallSink } from './call-record.js';
import { callFields } from './log-calls.js';

export interface FlowLines {
  debug(message: string, fields: Readonly<Record<string, unknown>>): void;
}

const upstreamFields = ({ upstreamId, upstreamEra, transport, attempts }: CallFlow) =>
  upstreamEra === undefined
    ? {}
    : { upstream_id: upstreamId, upstream_era: upstreamEra, transport, ...(attempts > 1 ? { attempts } : {}) };

const flowFields = (flow: CallFlow) => {
  const { callId, id, revision, session, agent } = flow.subject;
  return {
    id,
    revision,
    session,
    agent,
    path: flow.path,
    obstacle: flow.path === 'fast' ? undefined : flow.obstacle,
    ...upstreamFields(flow),
    ...(flow.decisions.length === 0 ? {} : { decisions: flow.decisions }),
    call_id: callId,
  };
};

/** One line for each request that was followed, as soon as it is over: what was decided on its way. */
export const logFlows =
  (log: FlowLines): CallSink =>
  (call: CallRecord) => {
    if (call.flow !== undefined) {
      log.debug('A request was answered.', { ...callFields(call), ...flowFields(call.flow) });
    }
  };
