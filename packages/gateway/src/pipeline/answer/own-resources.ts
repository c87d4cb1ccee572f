import type { Server } from '@plugboard/contract';
import { isJsonObject, type JsonObject } from '@plugboard/wire';
import { afterwards, type CallStep } from '../../call/step.js';
import { textAt } from '../../rpc/members.js';
import type { OfferBooks, Offers } from '../../offer/aggregate/offer-books.js';
import { qualifyUri } from '../../offer/scope/qualified-uri.js';
import { resourceOwner } from '../route/owner/resource-owner.js';

/** Addresses that a client can open without us. */
const OF_THE_WEB = /^https?:/iu;

/** The holder of an address in a block of content: the block itself, or the resource in it. */
const addressIn = (block: unknown): { readonly uri: string; readonly isLink: boolean } | undefined => {
  if (!isJsonObject(block)) return undefined;
  const isLink = block['type'] === 'resource_link';
  const holder = isLink ? block : block['type'] === 'resource' ? block['resource'] : undefined;
  const uri = isJsonObject(holder) ? textAt(holder, 'uri') : undefined;
  return uri === undefined ? undefined : { uri, isLink };
};

const readdressed = (block: JsonObject, uri: string): JsonObject =>
  isJsonObject(block['resource']) ? { ...block, resource: { ...block['resource'], uri } } : { ...block, uri };

/** A block whose address leads to the server that sent it, also where another has the same one. */
const leadingHome = (block: unknown, server: Server, ownerOf: (uri: string) => Server | undefined): unknown => {
  const address = addressIn(block);
  if (address === undefined || !isJsonObject(block)) return block;
  const owner = ownerOf(address.uri);
  const isForeign = owner === undefined ? address.isLink && !OF_THE_WEB.test(address.uri) : owner.id !== server.id;
  return isForeign ? readdressed(block, qualifyUri(server, address.uri)) : block;
};

const blocksOf = (method: string, result: JsonObject): readonly unknown[] => {
  if (method === 'tools/call') return Array.isArray(result['content']) ? result['content'] : [];
  const messages = method === 'prompts/get' && Array.isArray(result['messages']) ? result['messages'] : [];
  return messages.map((message: unknown) => (isJsonObject(message) ? message['content'] : undefined));
};

const withBlocks = (result: JsonObject, change: (block: unknown) => unknown): JsonObject =>
  Array.isArray(result['content'])
    ? { ...result, content: result['content'].map(change) }
    : {
        ...result,
        messages: (result['messages'] as readonly JsonObject[]).map((message) => ({
          ...message,
          content: change(message['content']),
        })),
      };

/** The resource is shown under the address that the client asked for. */
const underAskedUri = (result: JsonObject, asked: unknown, own: unknown): JsonObject => {
  if (asked === own || !Array.isArray(result['contents'])) return result;
  const contents = result['contents'].map((item: unknown) =>
    isJsonObject(item) && item['uri'] === own ? { ...item, uri: asked } : item,
  );
  return { ...result, contents };
};

const known = async (book: Offers, servers: readonly Server[]): Promise<void> => {
  const kinds = ['resources', 'templates'] as const;
  await Promise.all(kinds.flatMap((kind) => servers.map((server) => book.firstPage(server, kind))));
};

/** Makes addresses in what one of several servers answers lead to that server. */
export const ownResources = ({ books }: { readonly books: OfferBooks }): CallStep =>
  afterwards({
    answered: (call, result) => {
      const { route, scope, method } = call;
      if (scope.kind !== 'merged' || scope.offers !== 'everything') return result;
      if (route?.kind !== 'upstream' || !isJsonObject(result)) return result;
      if (method === 'resources/read') return underAskedUri(result, call.params['uri'], route.params['uri']);
      if (!blocksOf(method, result).some((block) => addressIn(block) !== undefined)) return result;
      const book = books.for(call.client.caller, call.session);
      const servers = scope.servers();
      const ownerOf = (uri: string): Server | undefined => resourceOwner(book, servers, uri);
      return known(book, servers).then(() => withBlocks(result, (block) => leadingHome(block, route.server, ownerOf)));
    },
  });
