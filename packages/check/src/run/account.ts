import type { CheckCall } from '@plugboard/contract';
import type { JsonObject } from '../connection/json.js';
import type { Probe } from '../probe/probe.js';
import type { CallDecision } from '../calls/call-policy.js';
import type { CallLedger } from '../calls/ledger.js';

const entryOf = (kind: CheckCall['kind'], name: string, decision: CallDecision, calls: number): CheckCall => ({
  kind,
  name,
  may: decision.may,
  why: decision.why,
  calls,
  ...(decision.may ? { arguments: decision.arguments.map((args: JsonObject) => ({ ...args })) } : {}),
});

const TEMPLATE: CallDecision = {
  may: false,
  why: 'resource templates are listed and completed, never read',
};

/** Everything of the server that runs code: what may be called, what was, and why the rest was not. */
export const callAccount = async (probe: Probe, ledger: CallLedger): Promise<readonly CheckCall[]> => {
  const none = (): readonly never[] => [];
  const tools = await probe.decisions().catch(none);
  const prompts = await probe.promptDecisions().catch(none);
  const templates = await probe.resourceTemplates().catch(none);
  return [
    ...tools.map(([{ name }, decision]) => entryOf('tool', name, decision, ledger.count('tool', name))),
    ...prompts.map(([{ name }, decision]) =>
      entryOf('prompt', String(name), decision, ledger.count('prompt', String(name))),
    ),
    ...templates.map(({ uriTemplate }) => entryOf('resource template', String(uriTemplate), TEMPLATE, 0)),
  ];
};
