import type { Death } from '../session/death.js';
import { withoutIds } from './without-ids.js';

/** What may have ended the server: each line that was sent, without its id. */
const suspectsOf = ({ exchange }: Death): ReadonlySet<string> =>
  new Set(
    exchange.sent
      .split('\n')
      .filter((line) => line !== '')
      .map(withoutIds),
  );

const isDisjoint = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  ![...one].some((item) => other.has(item));

/**
 * The ends of a server, one for each cause. Two that have a request in common have one cause, as far as anybody can tell: on
 * a busy machine several requests are open when a process ends. The one with fewer suspects says more.
 */
export class DeathLog {
  #deaths: readonly Death[] = [];

  get deaths(): readonly Death[] {
    return this.#deaths;
  }

  record(death: Death): void {
    const suspects = suspectsOf(death);
    const index = this.#deaths.findIndex((known) => {
      const others = suspectsOf(known);
      return (suspects.size === 0 && others.size === 0) || !isDisjoint(suspects, others);
    });
    const known = this.#deaths[index];
    if (known === undefined) this.#deaths = [...this.#deaths, death];
    else if (suspects.size < suspectsOf(known).size) this.#deaths = this.#deaths.with(index, death);
  }
}
