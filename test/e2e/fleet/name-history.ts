/** What somebody asked of one name, from when until when, and what came of it. */
export interface NameOperation {
  /** What already exists refuses a `create`, and what does not refuses a `delete`; `put` and `remove` always succeed. */
  readonly kind: 'create' | 'delete' | 'put' | 'remove';
  /** The id that a create was told, that a delete named, or that stands for what was put. */
  readonly id: string | undefined;
  readonly from: number;
  readonly until: number;
  /** `unknown`: the connection broke, so it happened at some time, or never. */
  readonly outcome: 'done' | 'refused' | 'unknown';
}

/** What the name stands for: an id, nobody's, or one that nobody was told. */
type State = string | undefined;
const UNTOLD = 'untold';
const IMPOSSIBLE = Symbol('impossible');

/** The state after an operation, or that it is impossible when it cannot have happened in this state. */
const after = (state: State, { kind, id, outcome }: NameOperation): State | typeof IMPOSSIBLE => {
  if (kind === 'put' || kind === 'remove') return outcome === 'refused' ? IMPOSSIBLE : kind === 'put' ? id : undefined;
  if (kind === 'create') {
    if (outcome === 'refused') return state === undefined ? IMPOSSIBLE : state;
    return state === undefined ? (id ?? UNTOLD) : IMPOSSIBLE;
  }
  const isPresent = state === id;
  if (outcome === 'refused') return isPresent ? IMPOSSIBLE : state;
  return isPresent ? undefined : IMPOSSIBLE;
};

/**
 * Is there an order of these operations, each within its time, in which every answer is right and that ends with what is
 * stored? What is unknown may have happened after its time, or never.
 */
export const isLinearizable = (operations: readonly NameOperation[], stored: string | undefined): boolean => {
  const dead = new Set<string>();
  const search = (left: readonly number[], state: State): boolean => {
    const place = `${left.join(',')} ${state ?? ''}`;
    if (dead.has(place)) return false;
    const rest = left.flatMap((index) => {
      const operation = operations[index];
      return operation === undefined ? [] : [{ index, operation }];
    });
    const certain = rest.filter(({ operation }) => operation.outcome !== 'unknown');
    if (certain.length === 0 && (state === stored || (state === UNTOLD && stored !== undefined))) return true;
    const firstEnd = Math.min(Infinity, ...certain.map(({ operation }) => operation.until));
    const found = rest.some(({ index, operation }) => {
      if (operation.from > firstEnd) return false;
      const next = after(state, operation);
      return (
        next !== IMPOSSIBLE &&
        search(
          left.filter((other) => other !== index),
          next,
        )
      );
    });
    if (!found) dead.add(place);
    return found;
  };
  return search([...operations.keys()], undefined);
};
