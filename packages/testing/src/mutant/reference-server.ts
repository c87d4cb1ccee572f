import { FakeServer } from '../fake-server.js';
import type { HttpListener } from '../transport/http-server.js';
import { listenMutated } from './http-proxy.js';
import { inProcessChild, type InProcessChild } from './in-process-child.js';
import type { Mutation } from './mutation.js';
import { referenceOptions } from './reference-options.js';

/** The reference server, correct or with one defect, on every transport. */
export class MutantServer implements AsyncDisposable {
  readonly server: FakeServer;
  readonly #mutation: Mutation;
  readonly #children = new Set<InProcessChild>();
  readonly #listeners = new Set<HttpListener>();

  constructor(mutation: Mutation = {}) {
    const options = referenceOptions();
    this.#mutation = mutation;
    this.server = new FakeServer(mutation.options?.(options) ?? options);
  }

  /** Starts a stdio server without a process. */
  launch(): InProcessChild {
    const child = inProcessChild(this.server, this.#mutation);
    this.#children.add(child);
    void child.exited.then(() => this.#children.delete(child));
    return child;
  }

  async listenHttp(): Promise<HttpListener> {
    return this.#listening(await listenMutated(await this.server.listenHttp(), this.#mutation, 'streamable-http'));
  }

  async listenSse(): Promise<HttpListener> {
    return this.#listening(await listenMutated(await this.server.listenSse(), this.#mutation, 'sse'));
  }

  async close(): Promise<void> {
    for (const child of this.#children) child.kill('SIGKILL');
    await Promise.all([...this.#listeners].map((listener) => listener.close()));
    await this.server.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #listening(listener: HttpListener): HttpListener {
    this.#listeners.add(listener);
    return listener;
  }
}

/** A server without a known defect. */
export const referenceServer = (): MutantServer => new MutantServer();
