import type { ScopeFacts } from '@plugboard/contract';
import { bearerChallenge } from '../error/challenge.js';
const OFFLINE = 'offline_access';

export const splitScope = (scope: string | undefined): readonly string[] =>
  (scope ?? '').split(/\s+/u).filter((name) => name !== '');

const joinScope = (names: readonly string[]): string | undefined =>
  names.length === 0 ? undefined : [...new Set(names)].join(' ');

/** Everything of both, in the order in which it was first named. */
export const unionScope = (...scopes: readonly (string | undefined)[]): string | undefined =>
  joinScope(scopes.flatMap((scope) => [...splitScope(scope)]));

/** The scope to ask for; undefined leaves the choice to the authorization server. */
export const chooseScope = (facts: ScopeFacts): string | undefined => {
  const challenged = bearerChallenge(facts.challenge)?.scope;
  const base = facts.configured ?? (challenged === undefined ? facts.ofResource : undefined) ?? [];
  // A configured list is where to start from; what an operation demands on top of it is still asked for.
  const wanted = unionScope(facts.earlier, joinScope(base), challenged);
  const mayStay = facts.ofIssuer?.includes(OFFLINE) === true;
  return wanted !== undefined && mayStay ? unionScope(wanted, OFFLINE) : wanted;
};
