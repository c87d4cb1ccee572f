const OFFLINE = 'offline_access';

export const splitScope = (scope: string | undefined): readonly string[] =>
  (scope ?? '').split(/\s+/u).filter((name) => name !== '');

export const joinScope = (names: readonly string[]): string | undefined =>
  names.length === 0 ? undefined : [...new Set(names)].join(' ');

/** Everything of both, in the order in which it was first named. */
export const unionScope = (...scopes: readonly (string | undefined)[]): string | undefined =>
  joinScope(scopes.flatMap((scope) => [...splitScope(scope)]));

export const coversScope = (held: string | undefined, wanted: string | undefined): boolean => {
  const names = new Set(splitScope(held));
  return splitScope(wanted).every((name) => names.has(name));
};

export interface ScopeFacts {
  /** What an operator asked for. */
  readonly configured?: readonly string[] | undefined;
  /** What the server asked for when it refused us. */
  readonly challenged?: string | undefined;
  /** What the server's metadata names. */
  readonly ofResource?: readonly string[] | undefined;
  /** What the authorization server's metadata names. */
  readonly ofIssuer?: readonly string[] | undefined;
  /** What was asked for before: a new login must not lose it. */
  readonly earlier?: string | undefined;
}

/** The scope to ask for; undefined leaves the choice to the authorization server. */
export const chooseScope = (facts: ScopeFacts): string | undefined => {
  const challenged = splitScope(facts.challenged);
  const base = facts.configured ?? (challenged.length > 0 ? challenged : (facts.ofResource ?? []));
  // A configured list is where to start from; what an operation demands on top of it is still asked for.
  const wanted = unionScope(facts.earlier, joinScope(base), facts.challenged);
  const mayStay = facts.ofIssuer?.includes(OFFLINE) === true;
  return wanted !== undefined && mayStay ? unionScope(wanted, OFFLINE) : wanted;
};
