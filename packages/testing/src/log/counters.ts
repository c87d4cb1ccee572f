import type { ReceivedLog } from './received-log.js';

/** Figures about a fake: what it received, what it executed, what is open. */
export class Counters {
  readonly #log: ReceivedLog;
  readonly #executions = new Map<string, number>();
  readonly #received = new Map<string, number>();
  #connections = 0;
  #openConnections = 0;
  #openStreams = 0;

  constructor(log: ReceivedLog) {
    this.#log = log;
    log.subscribe((entry) => this.#received.set(entry.method, this.received(entry.method) + 1));
  }

  get initialize(): number {
    return this.received('initialize');
  }

  get toolsCall(): number {
    return this.received('tools/call');
  }

  /** Connections ever: sockets over HTTP, streams over stdio. */
  get connections(): number {
    return this.#connections;
  }

  get openConnections(): number {
    return this.#openConnections;
  }

  /** SSE streams that are open now: GET streams, HTTP+SSE streams and subscriptions. */
  get openStreams(): number {
    return this.#openStreams;
  }

  received(method: string): number {
    return this.#received.get(method) ?? 0;
  }

  /** How often the handler of this tool was started; without a name, of all tools. */
  executed(tool?: string): number {
    if (tool !== undefined) return this.#executions.get(tool) ?? 0;
    return [...this.#executions.values()].reduce((sum, count) => sum + count, 0);
  }

  countExecution(tool: string): void {
    this.#executions.set(tool, this.executed(tool) + 1);
    this.#log.wake();
  }

  /** Gives the number of the connection and what to call when it closes. */
  countConnection(): { readonly number: number; readonly closed: () => void } {
    this.#connections += 1;
    this.#openConnections += 1;
    this.#log.wake();
    return {
      number: this.#connections,
      closed: once(() => {
        this.#openConnections -= 1;
        this.#log.wake();
      }),
    };
  }

  countStream(): () => void {
    this.#openStreams += 1;
    this.#log.wake();
    return once(() => {
      this.#openStreams -= 1;
      this.#log.wake();
    });
  }
}

const once = (act: () => void): (() => void) => {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    act();
  };
};
