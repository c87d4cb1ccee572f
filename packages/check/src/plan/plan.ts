import type { CheckEra, CheckTier } from '@plugboard/contract';
import type { ServerFacts } from '../discovery/server-facts.js';
import { declares } from '../model/capability.js';
import type { Check } from '../model/check.js';
import type { CheckTarget } from '../target/target.js';

/** A check in one era, or once for both. */
export interface PlannedCheck {
  readonly check: Check;
  readonly era: CheckEra;
  /** Why it does not apply; undefined when it will run. */
  readonly inapplicable: string | undefined;
  /** Why it cannot be verified; undefined when it can. */
  readonly unverifiable?: string;
}

const TIERS: readonly CheckTier[] = ['smoke', 'standard', 'full', 'intrusive'];

const matches = (id: string, pattern: string): boolean =>
  pattern.endsWith('*') ? id.startsWith(pattern.slice(0, -1)) : id === pattern;

/** Whether the target wants this check at all; what it does not want is in no report. */
export const isWanted = (check: Pick<Check, 'id' | 'family' | 'tier'>, target: CheckTarget): boolean => {
  const { only, skip, suites, tier } = target;
  if (skip.some((pattern) => matches(check.id, pattern))) return false;
  if (only.length > 0) return only.some((pattern) => matches(check.id, pattern));
  if (suites.length > 0 && !suites.includes(check.family)) return false;
  return TIERS.indexOf(check.tier) <= TIERS.indexOf(tier);
};

const inapplicable = (check: Check, era: CheckEra, facts: ServerFacts): string | undefined => {
  const { needs } = check;
  if (needs === undefined) return undefined;
  const capabilities = facts.sessions[era]?.capabilities ?? {};
  return declares(capabilities, needs) ? undefined : `The server does not declare the capability ${needs}.`;
};

const LOCKED = 'The server requires a token, and no accepted token was given.';

const eraWords: Readonly<Record<CheckEra, string>> = {
  legacy: 'a revision with initialize (up to 2025-11-25)',
  modern: 'revision 2026-07-28',
};

/** What will be run, and what does not apply and why. */
export const planChecks = (
  checks: readonly Check[],
  target: CheckTarget,
  facts: ServerFacts,
): readonly PlannedCheck[] => {
  const transport = facts.sessions.legacy?.transport ?? facts.sessions.modern?.transport;
  return checks
    .filter((check) => isWanted(check, target))
    .flatMap((check): readonly PlannedCheck[] => {
      const first = facts.eras[0] ?? 'legacy';
      if (transport !== undefined && !check.transports.includes(transport)) {
        return [
          { check, era: first, inapplicable: `It applies to ${check.transports.join(', ')}; this is ${transport}.` },
        ];
      }
      if (check.eras === 'both') {
        const both = facts.eras.length === 2;
        return [
          {
            check,
            era: first,
            inapplicable: both ? inapplicable(check, first, facts) : 'The server supports only one era.',
          },
        ];
      }
      if (check.perRun === true) return [{ check, era: first, inapplicable: undefined }];
      const eras = check.eras.filter((era) => facts.eras.includes(era));
      if (facts.locked === true && check.unopened !== true) {
        return [{ check, era: first, inapplicable: undefined, unverifiable: LOCKED }];
      }
      const wanted = check.eras[0] ?? 'legacy';
      if (eras.length === 0) {
        return [
          {
            check,
            era: wanted,
            inapplicable: `The server does not support ${eraWords[wanted]}, or the run excludes it.`,
          },
        ];
      }
      return eras.map((era) => ({ check, era, inapplicable: inapplicable(check, era, facts) }));
    });
};
