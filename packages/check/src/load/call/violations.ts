import type { LoadViolation, LoadViolationKind } from '@plugboard/contract';
import { show } from '../../connection/json.js';

/** What a correct server never does, with one example of each kind. */
export class Violations {
  readonly #found = new Map<LoadViolationKind, { count: number; readonly example: string }>();

  add(kind: LoadViolationKind, what: string, seen: unknown): void {
    const known = this.#found.get(kind);
    if (known === undefined) this.#found.set(kind, { count: 1, example: `${what} ${show(seen)}`.trim() });
    else known.count += 1;
  }

  /** Adds what another process found. */
  merge(found: readonly LoadViolation[]): void {
    for (const { kind, count, example } of found) {
      const known = this.#found.get(kind);
      if (known === undefined) this.#found.set(kind, { count, example });
      else known.count += count;
    }
  }

  get total(): number {
    return [...this.#found.values()].reduce((sum, { count }) => sum + count, 0);
  }

  get all(): readonly LoadViolation[] {
    return [...this.#found].map(([kind, { count, example }]) => ({ kind, count, example }));
  }
}
