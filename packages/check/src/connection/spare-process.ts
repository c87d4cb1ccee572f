import { pause } from './deadline.js';
import type { Child, Launch, LaunchOptions } from './child.js';

const GRACE_MS = 1_000;

/**
 * A process that is started in advance, so that a check which needs a new conversation does not wait for a start. The first launch takes it; later ones start their own.
 */
export class SpareProcess {
  readonly #launch: Launch;
  #child: Child | undefined;

  constructor(launch: Launch, program: LaunchOptions) {
    this.#launch = launch;
    const child = launch(program);
    this.#child = child;
    void this.#forgetWhenEnded(child);
  }

  readonly launch: Launch = (program) => {
    const child = this.#child;
    this.#child = undefined;
    return child ?? this.#launch(program);
  };

  async #forgetWhenEnded(child: Child): Promise<void> {
    await child.exited;
    if (this.#child === child) this.#child = undefined;
  }

  /** Ends it, if it was not taken. */
  async close(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined) return;
    child.stdin.end();
    child.kill('SIGTERM');
    await Promise.race([child.exited, pause(GRACE_MS)]);
    child.kill('SIGKILL');
  }
}
