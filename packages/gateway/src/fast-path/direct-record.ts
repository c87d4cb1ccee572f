import type { CallFlow } from '../call/call-flow.js';
import type { CallOutcome, CallRecord } from '../pipeline/observe/call-record.js';
import type { DirectClient } from './direct-client.js';
import type { DirectTarget } from './direct-target.js';
import type { WrittenCall } from './written-call.js';

export interface DirectEnding {
  readonly call: WrittenCall;
  readonly scope: string;
  readonly client: DirectClient;
  readonly target: DirectTarget;
  readonly outcome: CallOutcome;
  readonly durationMs: number;
  readonly traceId: string | undefined;
  readonly flow: CallFlow | undefined;
}

/** The record of a call on the fast path. Its arguments are parsed only when a sink reads them. */
export class DirectRecord implements CallRecord {
  readonly method: string;
  readonly scope: string;
  readonly principal: string;
  readonly agent: string | undefined;
  readonly era: string;
  readonly server: string;
  readonly tool: string | undefined;
  readonly outcome: CallOutcome;
  readonly durationMs: number;
  readonly traceId: string | undefined;
  readonly flow: CallFlow | undefined;
  // As text, so that nothing else of the request is kept while the record waits.
  private readonly argumentsText: string | undefined;

  constructor({ call, scope, client, target, outcome, durationMs, traceId, flow }: DirectEnding) {
    this.method = call.method;
    this.argumentsText = call.argumentsText;
    this.scope = scope;
    this.principal = client.facts.caller.principal;
    this.agent = client.facts.caller.agent;
    this.era = client.facts.revision.era;
    this.server = target.server.server_name;
    this.tool = target.tool?.tool.upstream_name;
    this.outcome = outcome;
    this.durationMs = durationMs;
    this.traceId = traceId;
    this.flow = flow;
  }

  get args(): unknown {
    return this.argumentsText === undefined ? undefined : JSON.parse(this.argumentsText);
  }
}
