import type { Server } from '@plugboard/contract';
import { RPC_CODE } from '@plugboard/wire';
import type { McpCall } from '../../../call/mcp-call.js';
import { invalidParams, RpcRefusal } from '../../../rpc/rpc-refusal.js';
import { type OwnUri, readQualifiedUri } from '../../../offer/scope/qualified-uri.js';
import type { ListKind } from '../../../offer/aggregate/list-kind.js';
import { promptNames } from '../../../offer/aggregate/merged-list.js';
import type { Offers } from '../../../offer/aggregate/offer-books.js';
import { resourceOwner } from './resource-owner.js';

const noResource = (call: McpCall, uri: string): RpcRefusal =>
  new RpcRefusal('NOT_FOUND', {
    code: call.client.revision.era === 'legacy' ? RPC_CODE.resourceNotFound : RPC_CODE.invalidParams,
    message: 'No server offers this resource.',
    data: { uri },
  });

type Kinds = readonly ListKind[];

const known = async (book: Offers, call: McpCall, kinds: Kinds) => {
  const servers = call.scope.servers();
  await Promise.all(kinds.flatMap((kind) => servers.map((server) => book.firstPage(server, kind))));
  return servers;
};

/** Looks among what is known, and once more when every page has been read. */
const searched = async <T>(
  book: Offers,
  call: McpCall,
  { kinds, find }: { readonly kinds: Kinds; readonly find: (servers: readonly Server[]) => T | undefined },
): Promise<T | undefined> => {
  const servers = await known(book, call, kinds);
  const found = find(servers);
  if (found !== undefined) return found;
  await Promise.all(kinds.flatMap((kind) => servers.map((server) => book.readOn(server, kind))));
  return find(servers);
};

/** The server behind the name of a prompt on this endpoint, and the name as that server knows it. */
export const ownerOfPrompt = async (book: Offers, call: McpCall, name: string | undefined) => {
  if (name === undefined) throw invalidParams('The name of the prompt is missing.');
  const find = (servers: readonly Server[]) => promptNames(book, servers).find(name);
  const found = await searched(book, call, { kinds: ['prompts'], find });
  if (found === undefined) throw invalidParams(`There is no prompt named "${name.slice(0, 200)}" here.`);
  return found;
};

/** The server behind a URI on this endpoint, and the URI as that server knows it. */
export const ownerOfResource = async (book: Offers, call: McpCall, uri: string | undefined): Promise<OwnUri> => {
  if (uri === undefined) throw invalidParams('The URI of the resource is missing.');
  const qualified = readQualifiedUri(call.scope.servers(), uri);
  if (qualified !== undefined) return qualified;
  const find = (servers: readonly Server[]) => resourceOwner(book, servers, uri);
  const owner = await searched(book, call, { kinds: ['resources', 'templates'], find });
  if (owner === undefined) throw noResource(call, uri);
  return { server: owner, uri };
};
