import { ownerOfResource } from '../aggregate/find-owner.js';
import type { OfferBooks } from '../aggregate/offer-books.js';
import { askedUri, type OwnUri } from '../scope/qualified-uri.js';
import type { ClientSession, McpCall } from '../../call/mcp-call.js';
import { textAt } from '../../rpc/members.js';
import { invalidParams, methodNotFound } from '../../rpc/rpc-refusal.js';
import { leaseLink } from '../../connection/lease-link.js';
import type { UpstreamLink } from '../../connection/upstream-link.js';
import type { UpstreamPool } from '../../connection/upstream-pool.js';

export interface SubscribeParts {
  readonly upstream: UpstreamPool;
  readonly books: OfferBooks;
}

interface Held {
  /** The URI as the server knows it. */
  readonly ownUri: string;
  readonly link: UpstreamLink;
  readonly letGo: () => void;
}

const uriOf = (call: McpCall): string => {
  const uri = textAt(call.params, 'uri');
  if (uri === undefined) throw invalidParams('"uri" must be a string.');
  return uri;
};

const drop = async ({ link, letGo, ownUri }: Held): Promise<void> => {
  await link.resources.remove(ownUri);
  letGo();
};

/** What legacy sessions are subscribed to, whichever era the servers are of. */
export class ResourceSubscriptions {
  readonly #parts: SubscribeParts;
  readonly #tables = new WeakMap<ClientSession, Map<string, Held>>();

  constructor(parts: SubscribeParts) {
    this.#parts = parts;
  }

  /** The URI under which this session is subscribed to the resource on this connection. */
  nameOf(session: ClientSession, link: UpstreamLink, ownUri: string): string | undefined {
    const table = this.#tables.get(session);
    return askedUri(table, { server: link.server, uri: ownUri }, (held) => held.link === link);
  }

  async subscribe(call: McpCall): Promise<object> {
    if (call.session === undefined) throw methodNotFound(call.method);
    const uri = uriOf(call);
    const table = this.#tableOf(call.session);
    if (table.has(uri)) return {};
    const own = await this.#ownerOf(call, uri);
    const { link, letGo } = await leaseLink(this.#parts.upstream, own.server, call, call.signal);
    table.set(uri, { link, letGo, ownUri: own.uri });
    try {
      await link.resources.add(own.uri, call.signal);
    } catch (thrown) {
      table.delete(uri);
      letGo();
      throw thrown;
    }
    call.session.noteSubscription?.(uri, true);
    return {};
  }

  async unsubscribe(call: McpCall): Promise<object> {
    if (call.session === undefined) throw methodNotFound(call.method);
    const uri = uriOf(call);
    const table = this.#tables.get(call.session);
    const held = table?.get(uri);
    table?.delete(uri);
    call.session.noteSubscription?.(uri, false);
    if (held !== undefined) await drop(held);
    return {};
  }

  async #ownerOf(call: McpCall, uri: string): Promise<OwnUri> {
    const [single] = call.scope.servers();
    return call.scope.kind === 'merged' || single === undefined
      ? ownerOfResource(this.#parts.books.for(call.client.caller, call.session), call, uri)
      : { server: single, uri };
  }

  #tableOf(session: ClientSession): Map<string, Held> {
    const known = this.#tables.get(session);
    if (known !== undefined) return known;
    const table = new Map<string, Held>();
    this.#tables.set(session, table);
    session.onEnd(() => {
      for (const held of table.values()) void drop(held);
      table.clear();
    });
    return table;
  }
}
