import type { WrittenAuditRecord } from '@plugboard/contract';
import { CALL_PHASES } from '../../call/call-times.js';
import type { CallRecord, CallSink } from './call-record.js';
import { quotedNames } from './quoted-names.js';
import { recordResult } from './record-result.js';
import { redactArguments } from './redact-arguments.js';

export interface AuditCallsOptions {
  readonly record: (entry: WrittenAuditRecord) => void;
  /** Keep what was sent instead of its kind alone. For hubs whose arguments hold nothing private. */
  readonly keepArguments?: boolean | undefined;
  readonly now?: (() => number) | undefined;
}

/** What the request asked for, for methods that name it in clear. */
const targetOf = ({ server, tool, scope }: CallRecord): string => {
  const holder = server ?? scope;
  return (tool === undefined ? holder : `${holder}/${tool}`).slice(0, 512);
};

/** In milliseconds; a microsecond is enough. */
const phasesText = (phases: CallRecord['phases']): string => {
  if (phases === undefined) return '';
  let members = '';
  for (const phase of CALL_PHASES) {
    const ms = phases[phase];
    if (ms !== undefined) members += `${members === '' ? '' : ','}"${phase}":${ms.toFixed(3)}`;
  }
  return `,"phases_ms":{${members}}`;
};

/** Longer arguments are described like those that are not kept: the trail must not grow by megabytes with each call. */
const MAX_ARGUMENTS = 64 * 1024;

const keptArguments = (args: unknown, quoted: (name: string) => string): string => {
  const text = JSON.stringify(args ?? {});
  return text.length > MAX_ARGUMENTS ? redactArguments(args, quoted) : text;
};

/** Writes calls of tools down: who, which, how it ended; the arguments by name and kind. */
export const auditCalls = ({ record, keepArguments = false, now = Date.now }: AuditCallsOptions): CallSink => {
  const quoted = quotedNames();
  return (call) => {
    if (call.method !== 'tools/call') return;
    const { args, traceId, agent } = call;
    const written = keepArguments ? keptArguments(args, quoted) : redactArguments(args, quoted);
    const trace = traceId === undefined ? '' : `,"trace_id":${JSON.stringify(traceId)}`;
    const whose = agent === undefined ? '' : `,"agent":${quoted(agent)}`;
    const phases = phasesText(call.phases);
    const result = call.result === undefined ? '' : `,"result":${recordResult(call.result)}`;
    const id = call.flow === undefined ? '' : `,"call_id":"${call.flow.subject.callId}"`;
    record({
      at: now(),
      kind: 'call',
      actor: call.principal,
      action: call.method,
      target: targetOf(call),
      outcome: call.outcome,
      duration_ms: call.durationMs,
      details: `{"endpoint":${quoted(call.scope)},"arguments":${written}${whose}${trace}${id}${phases}${result}}`,
    });
  };
};
