import { deferred, type Deferred } from '@plugboard/base';
import type { PendingAnswers } from './pending-answers.js';
import type { Pace } from './transport.js';

/**
 * Says when a channel that carries everything is read on. That of one client waits for whatever the client leaves
 * unread. One that several share waits for its only request, until there is another.
 */
export class ChannelPace {
  readonly #pending: PendingAnswers;
  readonly #owner: () => Pace | undefined;
  #held: Deferred<undefined> | undefined;
  #ending = false;

  constructor(pending: PendingAnswers, owner: () => Pace | undefined) {
    this.#pending = pending;
    this.#owner = owner;
  }

  /** To be asked after each piece; undefined: go on. */
  readonly next = (): Promise<void> | undefined => {
    if (this.#ending) return undefined;
    const owner = this.#owner();
    const wait = owner === undefined ? this.#pending.pace() : this.#pending.paceTogether(owner());
    if (wait === undefined) return undefined;
    const held = deferred<undefined>();
    const goOn = (): void => held.resolve(undefined);
    void wait.then(goOn, goOn);
    this.#held = held;
    return held.promise;
  };

  /** A request was added: the channel no longer waits for a single reader. */
  joined(): void {
    if (this.#held !== undefined && this.#owner() === undefined) this.#held.resolve(undefined);
  }

  /** What is left is all there is: nobody is waited for any more. */
  end(): void {
    this.#ending = true;
    this.#held?.resolve(undefined);
  }
}
