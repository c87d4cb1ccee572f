import type { AgentEvent } from '../loop/agent-event.js';

/** What the model says in several turns is one text for the client: a blank line separates the turns. */
export class ServedText {
  #saidBefore = false;
  #separate = false;

  /** The piece of text that an event adds, if any. */
  add(event: AgentEvent): string | undefined {
    if (event.type === 'turn') this.#separate = this.#saidBefore;
    if (event.type !== 'text') return undefined;
    const piece = this.#separate ? `\n\n${event.text}` : event.text;
    this.#separate = false;
    this.#saidBefore = true;
    return piece;
  }
}
