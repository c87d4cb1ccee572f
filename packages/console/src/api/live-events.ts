import type { HubEvent } from '@plugboard/contract';

export type LiveState = 'connecting' | 'live' | 'lost';

type Listener = (event: HubEvent) => void;

const RETRY_MS = 2000;

const parse = (data: string): HubEvent | undefined => {
  try {
    return JSON.parse(data) as HubEvent;
  } catch {
    return undefined;
  }
};

/** A browser hears only the events that are named to it. */
const HEARD: Readonly<Record<HubEvent['event'], true>> = {
  server_added: true,
  server_changed: true,
  server_removed: true,
  server_status: true,
  server_synced: true,
  tool_quarantined: true,
  tool_approved: true,
  tool_rejected: true,
  session_lost: true,
  oauth_authorized: true,
  oauth_refreshed: true,
  oauth_required: true,
  oauth_revoked: true,
  toolset_changed: true,
  toolset_removed: true,
  monitor_alert: true,
  check_run_queued: true,
  check_run_started: true,
  check_run_reached: true,
  check_judged: true,
  check_run_finished: true,
  events_missed: true,
};
const EVENTS = Object.keys(HEARD) as readonly HubEvent['event'][];

export interface EventStreamSource {
  open(): EventSource;
  after(ms: number, act: () => void): () => void;
}

const BROWSER: EventStreamSource = {
  open: () => new EventSource('/v1/events'),
  after: (ms, act) => {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
};

/** What happens in the hub, as it happens. Connects again by itself until it is closed. */
export class LiveEvents {
  readonly #source: EventStreamSource;
  readonly #listeners = new Set<Listener>();
  readonly #watchers = new Set<() => void>();
  #stream: EventSource | undefined;
  #cancelRetry: () => void = () => undefined;
  #state: LiveState = 'connecting';
  #everLive = false;
  /** Called when the stream is back after it was lost: anything may have changed meanwhile. */
  onReturn: () => void = () => undefined;
  /** Called at each attempt that fails: the hub may be away, or have forgotten who is signed in. */
  onLost: () => void = () => undefined;

  constructor(source: EventStreamSource = BROWSER) {
    this.#source = source;
  }

  get state(): LiveState {
    return this.#state;
  }

  open(): void {
    this.close();
    const stream = this.#source.open();
    this.#stream = stream;
    stream.addEventListener('open', () => {
      const returned = this.#everLive;
      this.#everLive = true;
      this.#become('live');
      if (returned) this.onReturn();
    });
    stream.addEventListener('error', () => {
      stream.close();
      this.#become('lost');
      this.onLost();
      this.#cancelRetry = this.#source.after(RETRY_MS, () => this.open());
    });
    for (const name of EVENTS) {
      stream.addEventListener(name, (message: MessageEvent<string>) => {
        const event = parse(message.data);
        if (event !== undefined) for (const listener of this.#listeners) listener(event);
      });
    }
  }

  close(): void {
    this.#cancelRetry();
    this.#stream?.close();
    this.#stream = undefined;
  }

  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Tells when the state changes. */
  watch(watcher: () => void): () => void {
    this.#watchers.add(watcher);
    return () => void this.#watchers.delete(watcher);
  }

  #become(state: LiveState): void {
    if (this.#state === state) return;
    this.#state = state;
    for (const watcher of this.#watchers) watcher();
  }
}
