import type { FaultKind, FaultPhase, ProxyFault } from './proxy-fault.js';
import { seeded } from './seeded.js';

/** A fault that struck. */
export interface Strike {
  /** The how-manieth message it was that could be struck. */
  readonly message: number;
  readonly kind: FaultKind;
  readonly phase: FaultPhase;
}

interface Armed {
  readonly fault: ProxyFault;
  left: number;
}

export interface BoardOptions {
  readonly faults?: readonly ProxyFault[];
  /** The same seed and the same messages give the same strikes. */
  readonly seed?: number;
  /** Whether strikes and requests can be asked for later (default: true). They would fill the memory of a proxy that runs for days. */
  readonly remembers?: boolean;
  readonly onStrike?: (strike: Strike) => void;
  readonly onDelivered?: (text: string) => void;
}

export const phaseOf = ({ phase = 'response' }: ProxyFault): FaultPhase => phase;

/** Which faults are armed, what they struck, and which requests reached the server. */
export class FaultBoard {
  readonly #options: BoardOptions;
  readonly #random: () => number;
  readonly #strikes: Strike[] = [];
  readonly #delivered: string[] = [];
  #armed: readonly Armed[] = [];
  #messages = 0;

  constructor(options: BoardOptions = {}) {
    this.#options = options;
    this.#random = seeded(options.seed ?? 1);
    this.arm(options.faults ?? []);
  }

  /** Replaces what was armed before. */
  arm(faults: readonly ProxyFault[]): void {
    this.#armed = faults.map((fault) => ({ fault, left: fault.times ?? Number.POSITIVE_INFINITY }));
  }

  clear(): void {
    this.arm([]);
  }

  get strikes(): readonly Strike[] {
    return this.#strikes;
  }

  /** The requests that were handed to the server, as they were sent. */
  get delivered(): readonly string[] {
    return this.#delivered;
  }

  get random(): () => number {
    return this.#random;
  }

  /** The armed faults of these kinds, whether or not a message is concerned. */
  shaping(kinds: readonly FaultKind[]): readonly ProxyFault[] {
    return this.#armed.filter(({ fault, left }) => kinds.includes(fault.kind) && left > 0).map(({ fault }) => fault);
  }

  /** Whether a fault of these kinds could strike this message; nothing is counted. */
  concerns(text: string, kinds: readonly FaultKind[]): boolean {
    return this.shaping(kinds).some(({ match }) => match === undefined || text.includes(match));
  }

  /** The fault that strikes this message, counted and written down. */
  take(text: string, phase: FaultPhase, kinds?: readonly FaultKind[]): ProxyFault | undefined {
    this.#messages += 1;
    for (const armed of this.#armed) {
      const { fault } = armed;
      const concerned =
        armed.left > 0 &&
        phaseOf(fault) === phase &&
        (kinds === undefined || kinds.includes(fault.kind)) &&
        (fault.match === undefined || text.includes(fault.match));
      if (!concerned || this.#random() >= (fault.probability ?? 1)) continue;
      armed.left -= 1;
      this.note({ message: this.#messages, kind: fault.kind, phase });
      return fault;
    }
    return undefined;
  }

  note(strike: Strike): void {
    if (this.#options.remembers !== false) this.#strikes.push(strike);
    this.#options.onStrike?.(strike);
  }

  /** A request is handed to the server now. */
  deliver(text: string): void {
    if (this.#options.remembers !== false) this.#delivered.push(text);
    this.#options.onDelivered?.(text);
  }

  /** How many requests with this text reached the server. */
  deliveriesOf(text: string): number {
    return this.#delivered.filter((request) => request.includes(text)).length;
  }
}
