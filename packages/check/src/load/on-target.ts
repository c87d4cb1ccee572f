import type { CheckOutcome } from '@plugboard/contract';
import { authenticated } from '../auth/authenticated.js';
import { Unreachable } from '../connection/no-answer.js';
import { findFacts } from '../discovery/find-facts.js';
import type { ServerFacts } from '../discovery/server-facts.js';
import { openLink } from '../locate/open-link.js';
import type { PlaceOptions } from '../locate/place.js';
import type { Link } from '../session/link.js';
import { secretMask } from '../target/mask-secrets.js';
import type { CheckTarget } from '../target/target.js';

/** Why there are no figures. */
interface NotRun {
  readonly outcome: CheckOutcome;
  readonly reason: string;
}

export const CANCELLED = { outcome: 'not-examined', reason: 'The run was cancelled.' } as const satisfies NotRun;

/** Finds the server behind the target and works on it. Returns what went wrong on the way instead of throwing it. */
export const onTarget = async <Result>(
  given: CheckTarget,
  options: PlaceOptions,
  signal: AbortSignal,
  work: (target: CheckTarget, link: Link, facts: ServerFacts) => Promise<Result>,
): Promise<Result | NotRun> => {
  let facts: ServerFacts | undefined;
  let target = given;
  try {
    signal.throwIfAborted();
    target = await authenticated(given, { ...options, ms: given.budgets.requestMs, signal });
    const link = await openLink(target, options, signal);
    facts = await findFacts(link, target.era);
    return await work(target, link, facts);
  } catch (error) {
    if (signal.aborted) return CANCELLED;
    const reason = secretMask(target)(error instanceof Error ? error.message : String(error));
    return { outcome: error instanceof Unreachable ? 'unreachable' : 'not-examined', reason };
  } finally {
    await Promise.allSettled(Object.values(facts?.sessions ?? {}).map((session) => session.close()));
  }
};
