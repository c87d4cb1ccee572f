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

const EVENTS: readonly HubEvent['event'][] = [
  'server_added',
  'server_changed',
  'server_removed',
  'server_status',
  'server_synced',
  'tool_quarantined',
  'tool_approved',
  'session_lost',
  'oauth_authorized',
  'oauth_refreshed',
  'oauth_required',
  'oauth_revoked',
  'toolset_changed',
  'toolset_removed',
  'check_run_queued',
  'check_run_started',
  'check_run_reached',
  'check_judged',
  'check_run_finished',
  'events_missed',
];

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
