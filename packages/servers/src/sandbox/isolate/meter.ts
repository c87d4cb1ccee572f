import type { LinearMemory } from './engine-module.js';
import type { IsolateLimits } from './isolate-limits.js';
import type { IsolateUsage, StopCode } from './isolate-job.js';

/** Linear memory never shrinks and is fragmented: what the allocator holds may exceed what the code was granted. */
const FRAGMENTATION = 2;

/** Counts what a run uses and says when it must end; once it said so it says nothing else. */
export class Meter {
  readonly #limits: IsolateLimits;
  readonly #now: () => number;
  #memory: LinearMemory | undefined;
  #spentMs = 0;
  #sliceStart: number | undefined;
  #outputBytes = 0;
  #stopped: StopCode | undefined;

  constructor(limits: IsolateLimits, now: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
  }

  get stopped(): StopCode | undefined {
    return this.#stopped;
  }

  get usage(): IsolateUsage {
    return { cpuMs: Math.round(this.#cpuMs()), memoryBytes: this.#memory?.buffer.byteLength ?? 0 };
  }

  watch(memory: LinearMemory): void {
    this.#memory = memory;
  }

  stop(code: StopCode): void {
    this.#stopped ??= code;
  }

  /** Runs code of the guest on the clock. */
  active<T>(run: () => T): T {
    if (this.#sliceStart !== undefined) return run();
    this.#sliceStart = this.#now();
    try {
      return run();
    } finally {
      this.#spentMs = this.#cpuMs();
      this.#sliceStart = undefined;
    }
  }

  /** The engine asks every few thousand instructions. */
  mustStop(): boolean {
    if (this.#stopped !== undefined) return true;
    if (this.#cpuMs() > this.#limits.cpuMs) {
      this.stop('CPU_LIMIT');
    } else if ((this.#memory?.buffer.byteLength ?? 0) > this.#limits.memoryBytes * FRAGMENTATION) {
      this.stop('MEMORY_LIMIT');
    }
    return this.#stopped !== undefined;
  }

  /** False when the console has said enough. */
  grantOutput(bytes: number): boolean {
    this.#outputBytes += bytes;
    if (this.#outputBytes > this.#limits.outputBytes) this.stop('OUTPUT_LIMIT');
    return this.#stopped === undefined;
  }

  get outputLeft(): number {
    return Math.max(0, this.#limits.outputBytes - this.#outputBytes);
  }

  #cpuMs(): number {
    return this.#spentMs + (this.#sliceStart === undefined ? 0 : this.#now() - this.#sliceStart);
  }
}
