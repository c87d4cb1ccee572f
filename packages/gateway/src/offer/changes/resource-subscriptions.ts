import { PlugboardError } from '@plugboard/contract';
import { ownerOfResource } from '../../pipeline/route/owner/find-owner.js';
import type { OfferBooks } from '../aggregate/offer-books.js';
import { askedUri, type OwnUri } from '../scope/qualified-uri.js';
import type { ClientSession, McpCall } from '../../call/mcp-call.js';
import { textAt } from '../../rpc/members.js';
import { invalidParams, methodNotFound } from '../../rpc/rpc-refusal.js';
import { leaseLink } from '../../connection/lease-link.js';
import type { UpstreamLink } from '../../connection/upstream-link.js';
import type { UpstreamPool } from '../../connection/upstream-pool.js';
import { checkSubscriptionCount, checkSubscriptionUri } from './subscription-bounds.js';

export interface SubscribeParts {
  readonly upstream: UpstreamPool;
  readonly books: OfferBooks;
}

interface Held {
  /** The URI as the server knows it. */
  readonly ownUri: string;
  readonly link: UpstreamLink;
  readonly letGo: () => void;
  /** The server is still being asked: the one who asks lets go of it. */
  isOpening: boolean;
}

/** What one session is subscribed to. */
interface Table {
  readonly held: Map<string, Held>;
  /** Subscriptions that are not in the table yet. */
  waiting: number;
  isOver: boolean;
}

const sessionOver = (): PlugboardError => new PlugboardError('CANCELLED', 'The session is over.');

const uriOf = (call: McpCall): string => {
  const uri = textAt(call.params, 'uri');
  if (uri === undefined) throw invalidParams('"uri" must be a string.');
  checkSubscriptionUri(uri);
  return uri;
};

const drop = async ({ link, letGo, ownUri }: Held): Promise<void> => {
  await link.resources.remove(ownUri);
  letGo();
};

/** What legacy sessions are subscribed to, whichever era the servers are of. */
export class ResourceSubscriptions {
  readonly #parts: SubscribeParts;
  readonly #tables = new WeakMap<ClientSession, Table>();

  constructor(parts: SubscribeParts) {
    this.#parts = parts;
  }

  /** The URI under which this session is subscribed to the resource on this connection. */
  nameOf(session: ClientSession, link: UpstreamLink, ownUri: string): string | undefined {
    const table = this.#tables.get(session);
    return askedUri(table?.held, { server: link.server, uri: ownUri }, (held) => held.link === link);
  }

  async subscribe(call: McpCall): Promise<object> {
    if (call.session === undefined) throw methodNotFound(call.method);
    const uri = uriOf(call);
    const table = this.#tableOf(call.session);
    if (table.held.has(uri)) return {};
    checkSubscriptionCount(table.held.size + table.waiting + 1);
    const held = await this.#lease(call, uri, table);
    if (held === undefined) return {};
    try {
      await held.link.resources.add(held.ownUri, call.signal);
    } catch (thrown) {
      if (table.held.get(uri) === held) table.held.delete(uri);
      held.letGo();
      throw thrown;
    }
    held.isOpening = false;
    if (table.held.get(uri) !== held) {
      // The client took it back, or left, while the server was asked.
      await drop(held);
      if (table.isOver) throw sessionOver();
      return {};
    }
    call.session.noteSubscription?.(uri, true);
    return {};
  }

  async unsubscribe(call: McpCall): Promise<object> {
    if (call.session === undefined) throw methodNotFound(call.method);
    const uri = uriOf(call);
    const table = this.#tables.get(call.session);
    const held = table?.held.get(uri);
    table?.held.delete(uri);
    call.session.noteSubscription?.(uri, false);
    if (held?.isOpening === false) await drop(held);
    return {};
  }

  /** Puts the subscription into the table. Undefined when another request did so meanwhile. */
  async #lease(call: McpCall, uri: string, table: Table): Promise<Held | undefined> {
    table.waiting += 1;
    try {
      const own = await this.#ownerOf(call, uri);
      const { link, letGo } = await leaseLink(this.#parts.upstream, own.server, call, call.signal);
      const held: Held = { link, letGo, ownUri: own.uri, isOpening: true };
      if (!table.isOver && !table.held.has(uri)) {
        table.held.set(uri, held);
        return held;
      }
      letGo();
    } finally {
      table.waiting -= 1;
    }
    if (table.isOver) throw sessionOver();
    return undefined;
  }

  async #ownerOf(call: McpCall, uri: string): Promise<OwnUri> {
    const [single] = call.scope.servers();
    return call.scope.kind === 'merged' || single === undefined
      ? ownerOfResource(this.#parts.books.for(call.client.caller, call.session), call, uri)
      : { server: single, uri };
  }

  #tableOf(session: ClientSession): Table {
    const known = this.#tables.get(session);
    if (known !== undefined) return known;
    const table: Table = { held: new Map(), waiting: 0, isOver: false };
    this.#tables.set(session, table);
    session.onEnd(() => {
      table.isOver = true;
      for (const held of table.held.values()) if (!held.isOpening) void drop(held);
      table.held.clear();
    });
    return table;
  }
}
