import type { Server } from '@plugboard/contract';
import { isJsonObject, RPC_CODE } from '@plugboard/wire';
import { offers } from '../aggregate/capabilities.js';
import { listKindOf } from '../aggregate/list-kind.js';
import { mergedList, promptNames } from '../aggregate/merged-list.js';
import type { OfferBooks, Offers } from '../aggregate/offer-books.js';
import { type OwnUri, readQualifiedUri } from '../scope/qualified-uri.js';
import { resourceOwner } from '../aggregate/resource-owner.js';
import type { McpCall } from '../call/mcp-call.js';
import { objectAt, textAt } from '../rpc/members.js';
import { invalidParams, methodNotFound, RpcRefusal } from '../rpc/rpc-refusal.js';
import type { UpstreamPool } from '../upstream/upstream-pool.js';
import type { Route, UpstreamRoute } from './route.js';

export interface MergedParts {
  readonly upstream: UpstreamPool;
  readonly books: OfferBooks;
  readonly hubInfo: Readonly<Record<string, unknown>>;
}

const AREA_OF: Readonly<Record<string, Parameters<typeof offers>[2]>> = {
  'prompts/list': 'prompts',
  'prompts/get': 'prompts',
  'resources/list': 'resources',
  'resources/templates/list': 'resources',
  'resources/read': 'resources',
  'completion/complete': 'completions',
};

const noResource = (call: McpCall, uri: string): RpcRefusal =>
  new RpcRefusal('NOT_FOUND', {
    code: call.client.revision.era === 'legacy' ? RPC_CODE.resourceNotFound : RPC_CODE.invalidParams,
    message: 'No server here knows this resource.',
    data: { uri },
  });

type Kinds = readonly ('prompts' | 'resources' | 'templates')[];

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

const upstream = (call: McpCall, route: Omit<UpstreamRoute, 'kind' | 'method'>): Route => ({
  kind: 'upstream',
  method: call.method,
  ...route,
});

const promptOf = async (book: Offers, call: McpCall, name: string | undefined) => {
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

const routeCompletion = async (book: Offers, call: McpCall): Promise<Route> => {
  const ref = objectAt(call.params, 'ref');
  if (ref['type'] === 'ref/prompt') {
    const { server, name } = await promptOf(book, call, textAt(ref, 'name'));
    return upstream(call, { server, params: { ...call.params, ref: { ...ref, name } } });
  }
  const { server, uri } = await ownerOfResource(book, call, textAt(ref, 'uri'));
  return upstream(call, { server, params: { ...call.params, ref: { ...ref, uri } } });
};

/** Routes what is not about tools on an endpoint of several servers. */
export const routeMerged = async (parts: MergedParts, call: McpCall): Promise<Route> => {
  const area = AREA_OF[call.method];
  if (area === undefined || !offers(call.scope, parts.upstream, area, call.client.revision.era))
    throw methodNotFound(call.method);
  const book = parts.books.for(call.client.caller, call.session);
  const { hubInfo } = parts;
  const kind = listKindOf(call.method);
  if (kind !== undefined) return { kind: 'own', answer: () => mergedList(book, call, kind, hubInfo) };
  switch (call.method) {
    case 'prompts/get': {
      const { server, name } = await promptOf(book, call, textAt(call.params, 'name'));
      return upstream(call, { server, params: { ...call.params, name } });
    }
    case 'resources/read': {
      const { server, uri } = await ownerOfResource(book, call, textAt(call.params, 'uri'));
      return upstream(call, { server, params: { ...call.params, uri } });
    }
    default:
      if (!isJsonObject(call.params['ref'])) throw invalidParams('"ref" must be an object.');
      return routeCompletion(book, call);
  }
};
