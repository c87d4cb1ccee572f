import type { Eras } from '../definition/era.js';
import type { FakeServerOptions } from '../definition/server-options.js';
import { FakeServer } from '../server/fake-server.js';
import type { HttpListener } from '../transport/http-server.js';
import { tcpNetwork, type FakeNetwork } from '../transport/network.js';
import { listenGuarded, type GuardCredentials, type GuardedListener } from './guard/guard.js';
import { listenMutated } from './http-proxy.js';
import { inProcessChild, type InProcessChild } from './in-process-child.js';
import type { FilterSettings } from './mutation/filter.js';
import type { Mutation, MutantTransport } from './mutation/mutation.js';
import { asAggregate } from './reference-aggregate.js';
import { withTasks } from './reference-tasks.js';
import { referenceOptions } from './reference-options.js';
import { READ_ONLY, strictTool } from './strict-tool.js';

/** Asks another server with a token of its own, and shows what that one got. */
const upstreamTool = strictTool({
  name: 'show_upstream',
  title: 'Show upstream',
  description: 'Shows the headers that this server sends to the one that it asks in turn.',
  annotations: READ_ONLY,
  parameters: {},
  handler: (_args, call) =>
    JSON.stringify({ authorization: call.headers['authorization'] ?? 'Bearer a token of the server itself' }),
});

/** The reference server, correct or with one defect, on every transport. */
export class MutantServer implements AsyncDisposable {
  readonly server: FakeServer;
  readonly #mutation: Mutation;
  readonly #eras: Eras;
  readonly #children = new Set<InProcessChild>();
  readonly #listeners = new Set<HttpListener>();
  #guarded: GuardedListener | undefined;

  constructor(mutation: Mutation = {}) {
    const plain = referenceOptions();
    const reference =
      mutation.protection === undefined ? plain : { ...plain, tools: [...(plain.tools ?? []), upstreamTool] };
    const options = mutation.options?.(reference) ?? reference;
    this.#mutation = mutation;
    this.#eras = options.eras ?? 'legacy';
    this.server = new FakeServer(options);
  }

  /** Starts a stdio server without a process. */
  launch(): InProcessChild {
    const child = inProcessChild(this.server, this.#mutation, this.#eras);
    this.#children.add(child);
    void child.exited.then(() => this.#children.delete(child));
    return child;
  }

  async listenHttp(network: FakeNetwork = tcpNetwork): Promise<HttpListener> {
    const { protection } = this.#mutation;
    const correct = await this.server.listenHttp({ network });
    if (protection !== undefined) this.#guarded = await listenGuarded(correct, protection, network);
    return this.#listening(await listenMutated(this.#guarded ?? correct, this.#settings('streamable-http'), network));
  }

  /** Tokens for the server at this address; undefined when it serves everybody. */
  credentialsFor(url: string): GuardCredentials | undefined {
    return this.#guarded?.credentialsFor(url);
  }

  async listenSse(network: FakeNetwork = tcpNetwork): Promise<HttpListener> {
    const correct = await this.server.listenSse({ network });
    return this.#listening(await listenMutated(correct, this.#settings('sse'), network));
  }

  async close(): Promise<void> {
    for (const child of this.#children) child.kill('SIGKILL');
    await Promise.all([...this.#listeners].map((listener) => listener.close()));
    await this.server.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #settings(transport: MutantTransport): FilterSettings {
    return { mutation: this.#mutation, transport, eras: this.#eras };
  }

  #listening(listener: HttpListener): HttpListener {
    this.#listeners.add(listener);
    return listener;
  }
}

/** A server without a known defect, with what a variant adds, in these eras. */
const inEras = ({ options, ...rest }: Mutation, eras: Eras): MutantServer =>
  new MutantServer({ ...rest, options: (reference) => ({ ...(options?.(reference) ?? reference), eras }) });

/** A server without a known defect but the one that is given; it speaks both eras unless told otherwise. */
export const referenceServer = (eras: Eras = 'both', defect: Mutation = {}): MutantServer => inEras(defect, eras);

/** The reference with those of its tools only whose schemas every strict mode takes as they stand. */
export const strictServer = (eras: Eras = 'both'): MutantServer => {
  const strict = new Set(['get_status', 'add']);
  const options = (reference: FakeServerOptions): FakeServerOptions => ({
    ...reference,
    tools: (reference.tools ?? []).filter((tool) => typeof tool === 'object' && strict.has(tool.name)),
  });
  return inEras({ options }, eras);
};

/** The reference with tools that run as tasks. */
export const taskingServer = (eras: Eras = 'both', defect: Mutation = {}): MutantServer =>
  inEras(withTasks(defect), eras);

/** The reference behind OAuth, over Streamable HTTP only, with tasks. */
export const guardedServer = (eras: Eras = 'both', defect: Mutation = {}): MutantServer =>
  inEras(withTasks({ protection: {}, ...defect }), eras);

/** The reference as a hub that shows several servers as one; `AGGREGATE` describes it. */
export const aggregateServer = (eras: Eras = 'both', defect: Mutation = {}): MutantServer =>
  inEras(asAggregate(defect), eras);
