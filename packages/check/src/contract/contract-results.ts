import type { CheckResult } from '@plugboard/contract';
import { verifyLock, type Change, type LockedServer } from '@plugboard/schema';
import type { FailOn } from '../target/target.js';
import { CONTRACT_RULES, ruleOf, sourceOf, type ContractRule } from './contract-rule.js';
import type { Offer } from './offer.js';

const GATES: Readonly<Record<FailOn, readonly string[]>> = {
  must: ['MUST'],
  should: ['MUST', 'SHOULD'],
  advice: ['MUST', 'SHOULD', 'ADVICE'],
  never: [],
};

interface Judged {
  readonly name: string;
  readonly offer: Offer;
  readonly failOn: FailOn;
}

const resultOf = (
  { name, offer, failOn }: Judged,
  tool: string,
  rule: ContractRule,
  found: { readonly details: readonly string[]; readonly received: string } | undefined,
): CheckResult => {
  const subject = tool === '' ? `the server "${name}"` : `the tool "${tool}"`;
  return {
    id: `${rule.id}:${tool === '' ? name : `${name}/${tool}`}`,
    title: `The contract of ${subject} is the locked one`,
    ...(found === undefined ? {} : { problem: `${rule.problem} of ${subject}` }),
    family: 'contract',
    level: rule.level,
    tier: 'standard',
    transport: offer.transport,
    era: offer.era,
    verdict: found === undefined ? 'pass' : GATES[failOn].includes(rule.level) ? 'fail' : 'warn',
    ...(found === undefined
      ? {}
      : {
          detail: found.details.join(' '),
          evidence: {
            sent: '',
            received: found.received,
            expected: 'what the lock file holds',
            transcript: [],
          },
        }),
    source: sourceOf(rule),
    remedy: rule.remedy,
    durationMs: 0,
  };
};

const definitionText = ({ tools }: Offer, tool: string): string => {
  const found = tools.find(({ name }) => name === tool);
  return found === undefined ? '' : JSON.stringify(found, undefined, 2);
};

const receivedFor = (offer: Offer, tool: string, rule: ContractRule): string => {
  if (tool !== '') return definitionText(offer, tool);
  return (rule === CONTRACT_RULES.identity ? offer.server?.name : offer.instructions) ?? '';
};

const byRule = (changes: readonly Change[]): ReadonlyMap<ContractRule, readonly Change[]> => {
  const groups = new Map<ContractRule, Change[]>();
  for (const change of changes) {
    const rule = ruleOf(change);
    groups.set(rule, [...(groups.get(rule) ?? []), change]);
  }
  return groups;
};

/** What changed of a tool since it was locked: a result for each kind of change, or one that passed. */
const ofTool = (judged: Judged, tool: string, changes: readonly Change[]): readonly CheckResult[] => {
  if (changes.length === 0) return [resultOf(judged, tool, CONTRACT_RULES.breaking, undefined)];
  return [...byRule(changes)].map(([rule, group]) =>
    resultOf(judged, tool, rule, {
      details: group.map(({ sentence, pointer }) => (pointer === '' ? sentence : `${pointer}: ${sentence}`)),
      received: receivedFor(judged.offer, tool, rule),
    }),
  );
};

/** Compares what a server offers with its lock: one result per tool and kind of change. */
export const contractResults = (
  name: string,
  locked: LockedServer,
  { offer, failOn }: { readonly offer: Offer; readonly failOn: FailOn },
): readonly CheckResult[] => {
  const judged: Judged = { name, offer, failOn };
  const { changes, edited } = verifyLock(locked, offer.tools, offer.instructions, offer.server?.name);
  const tools = new Set([...Object.keys(locked.tools), ...changes.map(({ tool }) => tool)]);
  if (offer.instructions !== undefined) tools.add('');
  return [
    ...edited.map((tool) =>
      resultOf(judged, tool, CONTRACT_RULES.edited, {
        details: [`The hash of "${tool}" in the lock file does not belong to its definition.`],
        received: JSON.stringify(locked.tools[tool], undefined, 2),
      }),
    ),
    ...[...tools].toSorted().flatMap((tool) =>
      ofTool(
        judged,
        tool,
        changes.filter((change) => change.tool === tool),
      ),
    ),
  ];
};
