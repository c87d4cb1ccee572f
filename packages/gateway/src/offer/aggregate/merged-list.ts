import type { Server } from '@plugboard/contract';
import type { JsonObject } from '@plugboard/wire';
import { withModernEnvelope } from '../../rpc/era-members.js';
import type { McpCall } from '../../call/mcp-call.js';
import { textAt } from '../../rpc/members.js';
import { invalidParams } from '../../rpc/rpc-refusal.js';
import { decodeCursor, encodeCursor } from './cursor.js';
import { LIST_SHAPES, type ListKind } from './list-kind.js';
import { PromptNames, type OwnedItem } from './prompt-names.js';
import type { OfferAnswer, OfferPage } from './offer-book.js';
import type { Offers } from './offer-books.js';
import { qualifyUri } from '../scope/qualified-uri.js';
import { OUTCOMES_META, type ServerOutcome } from './server-outcomes.js';

/** Prompts of all servers that are known, so that their names do not depend on the page. */
export const promptNames = (book: Offers, servers: readonly Server[]): PromptNames =>
  new PromptNames(servers.flatMap((server) => book.known(server, 'prompts').map((item) => ({ server, item }))));

/** A URI that two servers list belongs to the first of them; the other's is shown with the name of its server in it. */
const ownedBy = (book: Offers, servers: readonly Server[], kind: ListKind) => {
  const { key } = LIST_SHAPES[kind];
  const owners = new Map<string, Server>();
  for (const server of servers) {
    for (const item of book.known(server, kind)) {
      const name = textAt(item, key) ?? '';
      if (!owners.has(name)) owners.set(name, server);
    }
  }
  return ({ server, item }: OwnedItem): boolean => (owners.get(textAt(item, key) ?? '') ?? server) === server;
};

interface Collected {
  readonly owned: readonly OwnedItem[];
  readonly nextCursor: string | undefined;
}

/** Goes through the servers in order and stops at the first that has more pages. */
const collect = (kind: ListKind, pages: readonly (readonly [Server, OfferPage])[]): Collected => {
  const owned: OwnedItem[] = [];
  for (const [server, page] of pages) {
    for (const item of page.items) owned.push({ server, item });
    if (page.nextCursor !== undefined) {
      return { owned, nextCursor: encodeCursor({ kind, serverId: server.id, cursor: page.nextCursor }) };
    }
  }
  return { owned, nextCursor: undefined };
};

const pagesFrom = async (
  book: Offers,
  servers: readonly Server[],
  kind: ListKind,
  cursor: string | undefined,
): Promise<{
  readonly pages: readonly (readonly [Server, OfferPage])[];
  readonly outcomes: Readonly<Record<string, ServerOutcome>>;
}> => {
  const answers = await Promise.all(
    servers.map(async (server): Promise<readonly [Server, OfferAnswer]> => [
      server,
      await book.firstPage(server, kind),
    ]),
  );
  const outcomes = Object.fromEntries(answers.map(([server, { outcome }]) => [server.server_name, outcome]));
  if (cursor === undefined) return { pages: answers.map(([server, { page }]) => [server, page]), outcomes };
  const from = decodeCursor(kind, cursor);
  const index = servers.findIndex((server) => server.id === from.serverId);
  const current = servers[index];
  if (current === undefined) throw invalidParams('The server that this cursor points to was removed.');
  const page = await book.laterPage(current, kind, from.cursor);
  const rest = answers.slice(index + 1).map(([server, answer]) => [server, answer.page] as const);
  return { pages: [[current, page], ...rest], outcomes };
};

/** One list out of the lists of all servers behind an endpoint. */
export const mergedList = async (
  book: Offers,
  call: McpCall,
  kind: ListKind,
  serverInfo: JsonObject,
): Promise<JsonObject> => {
  const servers = call.scope.servers();
  const { pages, outcomes } = await pagesFrom(book, servers, kind, textAt(call.params, 'cursor'));
  const { owned, nextCursor } = collect(kind, pages);
  const names = kind === 'prompts' ? promptNames(book, servers) : undefined;
  const isPlain = kind === 'prompts' ? () => true : ownedBy(book, servers, kind);
  const { member, method, key } = LIST_SHAPES[kind];
  const shown = (each: OwnedItem): JsonObject =>
    isPlain(each) ? each.item : { ...each.item, [key]: qualifyUri(each.server, textAt(each.item, key) ?? '') };
  const result = {
    [member]: owned.map((each) => names?.show(each) ?? shown(each)),
    ...(nextCursor === undefined ? {} : { nextCursor }),
    _meta: { [OUTCOMES_META]: outcomes },
  };
  return call.client.revision.era === 'legacy' ? result : withModernEnvelope(method, result, { serverInfo });
};
