import { deferred, pause } from '@plugboard/base';
import { isJsonObject, type JsonObject } from '@plugboard/wire';
import type { LiveSession } from './live-session.js';

export interface ListenFilter {
  readonly toolsListChanged?: boolean | undefined;
  readonly promptsListChanged?: boolean | undefined;
  readonly resourcesListChanged?: boolean | undefined;
  readonly resourceSubscriptions?: readonly string[] | undefined;
  /** Tasks of the tasks extension. */
  readonly taskIds?: readonly string[] | undefined;
}

/** How long calls wait for the stream: some servers say nothing on it before they have something to say. */
const OPENING_MS = 1_000;
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;

const announces = (capabilities: JsonObject, area: string): boolean => {
  const capability = capabilities[area];
  return isJsonObject(capability) && capability['listChanged'] === true;
};

/** Every kind of change that the server says it announces; undefined when there is none. */
export const announcedChanges = (capabilities: JsonObject): ListenFilter | undefined => {
  const filter = {
    ...(announces(capabilities, 'tools') ? { toolsListChanged: true } : {}),
    ...(announces(capabilities, 'prompts') ? { promptsListChanged: true } : {}),
    ...(announces(capabilities, 'resources') ? { resourcesListChanged: true } : {}),
  };
  return Object.keys(filter).length === 0 ? undefined : filter;
};

/** Keeps the way open for what a server sends unasked, as long as somebody listens and the session lives. */
export class NotificationFeed {
  readonly #subscribe: (live: LiveSession, filter: ListenFilter, signal: AbortSignal) => Promise<void>;
  #running:
    | { readonly live: LiveSession; readonly controller: AbortController; readonly done: Promise<void> }
    | undefined;
  #opening: Promise<void> | undefined;

  constructor(subscribe: (live: LiveSession, filter: ListenFilter, signal: AbortSignal) => Promise<void>) {
    this.#subscribe = subscribe;
  }

  /** While the stream is being opened: what the server sends before nobody would hear. Never for long. */
  get opening(): Promise<void> | undefined {
    return this.#opening;
  }

  start(live: LiveSession): void {
    if (this.#running?.live === live) return;
    this.#running?.controller.abort();
    const controller = new AbortController();
    const opened = deferred<undefined>();
    const open = (): void => opened.resolve(undefined);
    const done = this.#follow(live, controller.signal, open)
      .catch(() => undefined)
      .finally(open);
    this.#running = { live, controller, done };
    this.#opening = this.#untilOpen(opened.promise, live);
  }

  async stop(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    this.#opening = undefined;
    running?.controller.abort();
    await running?.done;
  }

  async #untilOpen(opened: Promise<undefined>, live: LiveSession): Promise<void> {
    const patience = new AbortController();
    await Promise.race([opened, pause(OPENING_MS, patience.signal)]);
    patience.abort();
    // One that was started since has its own wait.
    if (this.#running?.live === live) this.#opening = undefined;
  }

  async #follow(live: LiveSession, signal: AbortSignal, onOpen: () => void): Promise<void> {
    if (live.agreement.revision.era === 'legacy') {
      await live.transport.listen?.(signal, onOpen);
      return;
    }
    onOpen();
    const filter = announcedChanges(live.agreement.capabilities);
    if (filter === undefined) return;
    for (let wait = FIRST_PAUSE_MS; !signal.aborted; wait = Math.min(wait * 2, MAX_PAUSE_MS)) {
      await this.#subscribe(live, filter, signal).catch(() => undefined);
      if (!(await pause(wait, signal))) return;
    }
  }
}
