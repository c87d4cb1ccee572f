import type { CheckCall } from '@plugboard/contract';
import type { JsonObject } from '../connection/json.js';
import type { Probe } from '../probe/probe.js';
import { LIMIT_WORDS } from '../calls/call-limits.js';
import type { CallDecision } from '../calls/call-policy.js';
import type { CallLedger } from '../calls/ledger.js';

const entryOf = (kind: CheckCall['kind'], name: string, decision: CallDecision, calls: number): CheckCall => ({
  kind,
  name,
  may: decision.may,
  why: decision.may && !decision.free ? `${decision.why}; ${LIMIT_WORDS}` : decision.why,
  calls,
  ...(decision.may ? { arguments: decision.arguments.map((args: JsonObject) => ({ ...args })) } : {}),
});

const TEMPLATE: CallDecision = {
  may: false,
  why: 'resource templates are listed and completed, never read',
};

/** Everything of the server that runs code: what may be called, what was, and why the rest was not. */
export const callAccount = async (probe: Probe, ledger: CallLedger): Promise<readonly CheckCall[]> => {
  // A server that has ended cannot be asked any more; what it listed before it did, and what was called, is known.
  await Promise.allSettled([probe.decisions(), probe.promptDecisions(), probe.resourceTemplates()]);
  const decided = (kind: 'tool' | 'prompt', method: string): readonly CheckCall[] =>
    ledger.lastListed(method).flatMap(({ name }) => {
      const decision = ledger.decisionOn(kind, String(name));
      return decision === undefined ? [] : [entryOf(kind, String(name), decision, ledger.count(kind, String(name)))];
    });
  return [
    ...decided('tool', 'tools/list'),
    ...decided('prompt', 'prompts/list'),
    ...ledger
      .lastListed('resources/templates/list')
      .map(({ uriTemplate }) => entryOf('resource template', String(uriTemplate), TEMPLATE, 0)),
  ];
};
