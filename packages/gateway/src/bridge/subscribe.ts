import type { Server } from '@plugboard/contract';
import type { OfferBooks } from '../aggregate/offer-books.js';
import type { ClientSession, McpCall } from '../call/mcp-call.js';
import { serverOfResource } from '../route/merged-routes.js';
import { textAt } from '../rpc/members.js';
import { invalidParams, methodNotFound } from '../rpc/rpc-refusal.js';
import { leaseLink } from '../upstream/lease-link.js';
import type { UpstreamLink } from '../upstream/upstream-link.js';
import type { UpstreamPool } from '../upstream/upstream-pool.js';

export interface SubscribeParts {
  readonly upstream: UpstreamPool;
  readonly books: OfferBooks;
}

interface Held {
  readonly link: UpstreamLink;
  readonly letGo: () => void;
}

const uriOf = (call: McpCall): string => {
  const uri = textAt(call.params, 'uri');
  if (uri === undefined) throw invalidParams('"uri" must be a string.');
  return uri;
};

const drop = async ({ link, letGo }: Held, uri: string): Promise<void> => {
  await link.resources.remove(uri);
  letGo();
};

/** What legacy sessions are subscribed to, whichever era the servers are of. */
export class ResourceSubscriptions {
  readonly #parts: SubscribeParts;
  readonly #tables = new WeakMap<ClientSession, Map<string, Held>>();

  constructor(parts: SubscribeParts) {
    this.#parts = parts;
  }

  /** Is this session subscribed to the resource on this connection? */
  has(session: ClientSession, link: UpstreamLink, uri: string): boolean {
    return this.#tables.get(session)?.get(uri)?.link === link;
  }

  async subscribe(call: McpCall): Promise<object> {
    if (call.session === undefined) throw methodNotFound(call.method);
    const uri = uriOf(call);
    const table = this.#tableOf(call.session);
    if (table.has(uri)) return {};
    const server = await this.#serverOf(call, uri);
    const { link, letGo } = await leaseLink(this.#parts.upstream, server, call, call.signal);
    table.set(uri, { link, letGo });
    try {
      await link.resources.add(uri, call.signal);
    } catch (thrown) {
      table.delete(uri);
      letGo();
      throw thrown;
    }
    return {};
  }

  async unsubscribe(call: McpCall): Promise<object> {
    if (call.session === undefined) throw methodNotFound(call.method);
    const uri = uriOf(call);
    const table = this.#tables.get(call.session);
    const held = table?.get(uri);
    table?.delete(uri);
    if (held !== undefined) await drop(held, uri);
    return {};
  }

  async #serverOf(call: McpCall, uri: string): Promise<Server> {
    const [single] = call.scope.servers();
    return call.scope.kind === 'merged' || single === undefined
      ? serverOfResource(this.#parts.books.for(call.client.caller), call, uri)
      : single;
  }

  #tableOf(session: ClientSession): Map<string, Held> {
    const known = this.#tables.get(session);
    if (known !== undefined) return known;
    const table = new Map<string, Held>();
    this.#tables.set(session, table);
    session.onEnd(() => {
      for (const [uri, held] of table) void drop(held, uri);
      table.clear();
    });
    return table;
  }
}
