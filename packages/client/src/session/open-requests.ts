import type { JsonRpcRequest } from '@plugboard/wire';

/** How many requests of a server may wait for an answer at a time. */
const MAX_REQUESTS = 256;
/** How much these may contain in all, as JSON. A message larger than this is answered if it is the only one. */
const MAX_CHARS = 8 * 1024 * 1024;

/** The requests of a server that were not answered yet. Each is held until a person, or another server, has answered. */
export class OpenRequests {
  #count = 0;
  #chars = 0;

  /** Undefined when the server asks for too much at a time; else what to call when the answer was sent. */
  enter({ params }: JsonRpcRequest): (() => void) | undefined {
    const chars = params === undefined ? 0 : JSON.stringify(params).length;
    const isFull = this.#count >= MAX_REQUESTS || this.#chars + chars > MAX_CHARS;
    if (isFull && this.#count > 0) return undefined;
    this.#count += 1;
    this.#chars += chars;
    return () => {
      this.#count -= 1;
      this.#chars -= chars;
    };
  }
}
