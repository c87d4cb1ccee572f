import type { ProxyFault } from '../board/proxy-fault.js';
import { changeAnswer, isAnswer, MESSAGE } from '../board/change-answer.js';
import { withData, type WrittenEvent } from './event-splitter.js';

export interface EventStep {
  /** What is written, after a wait. */
  readonly write: readonly string[];
  readonly waitMs: number;
  /** The connection is cut now. */
  readonly cut: boolean;
}

const PASS = { waitMs: 0, cut: false };

/** Events are held back until the answer comes, but no more characters of them than this. */
const MAX_HELD = 16 * 1024 * 1024;

/** Decides event by event what of a stream gets through. */
export class EventFaults {
  readonly #fault: ProxyFault;
  #held: WrittenEvent[] = [];
  #heldSize = 0;

  constructor(fault: ProxyFault) {
    this.#fault = fault;
  }

  take(event: WrittenEvent): EventStep {
    const fault = this.#fault;
    const answers = isAnswer(event.data);
    if (fault.kind === 'drop-stream' && answers) return { write: [], waitMs: 0, cut: true };
    if (fault.kind === 'duplicate-events') return { ...PASS, write: [event.raw, event.raw] };
    if (fault.kind === 'reorder-events') {
      this.#held.push(event);
      this.#heldSize += event.raw.length;
      return answers || this.#heldSize > MAX_HELD ? this.flush() : { ...PASS, write: [] };
    }
    if (!answers || !MESSAGE.includes(fault.kind)) return { ...PASS, write: [event.raw] };
    const { texts, waitMs } = changeAnswer(event.data, fault);
    return { write: texts.map((text) => withData(event, text)), waitMs, cut: false };
  }

  /** What was held back, the newest first. */
  flush(): EventStep {
    const write = this.#held.map(({ raw }) => raw).toReversed();
    this.#held = [];
    this.#heldSize = 0;
    return { ...PASS, write };
  }
}
