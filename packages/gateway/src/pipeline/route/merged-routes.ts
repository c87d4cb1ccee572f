import { isJsonObject } from '@plugboard/wire';
import { offers } from '../../offer/greeting/capabilities.js';
import { listKindOf } from '../../offer/aggregate/list-kind.js';
import { mergedList } from '../../offer/aggregate/merged-list.js';
import type { OfferBooks, Offers } from '../../offer/aggregate/offer-books.js';
import { ownerOfPrompt, ownerOfResource } from './owner/find-owner.js';
import type { McpCall } from '../../call/mcp-call.js';
import { objectAt, textAt } from '../../rpc/members.js';
import { invalidParams, methodNotFound } from '../../rpc/rpc-refusal.js';
import type { UpstreamPool } from '../../connection/upstream-pool.js';
import type { Route, UpstreamRoute } from '../../call/route.js';

export interface MergedParts {
  readonly upstream: UpstreamPool;
  readonly books: OfferBooks;
  readonly hubInfo: Readonly<Record<string, unknown>>;
}

const AREA_OF: ReadonlyMap<string, Parameters<typeof offers>[2]> = new Map([
  ['prompts/list', 'prompts'],
  ['prompts/get', 'prompts'],
  ['resources/list', 'resources'],
  ['resources/templates/list', 'resources'],
  ['resources/read', 'resources'],
  ['completion/complete', 'completions'],
]);

const upstream = (call: McpCall, route: Omit<UpstreamRoute, 'kind' | 'method'>): Route => ({
  kind: 'upstream',
  method: call.method,
  ...route,
});

const routeCompletion = async (book: Offers, call: McpCall): Promise<Route> => {
  const ref = objectAt(call.params, 'ref');
  if (ref['type'] === 'ref/prompt') {
    const { server, name } = await ownerOfPrompt(book, call, textAt(ref, 'name'));
    return upstream(call, { server, params: { ...call.params, ref: { ...ref, name } } });
  }
  const { server, uri } = await ownerOfResource(book, call, textAt(ref, 'uri'));
  return upstream(call, { server, params: { ...call.params, ref: { ...ref, uri } } });
};

/** Routes what is not about tools on an endpoint of several servers. */
export const routeMerged = async (parts: MergedParts, call: McpCall): Promise<Route> => {
  const area = AREA_OF.get(call.method);
  if (area === undefined || !offers(call.scope, parts.upstream, area, call.client.revision.era)) {
    throw methodNotFound(call.method);
  }
  const book = parts.books.for(call.client.caller, call.session);
  const { hubInfo } = parts;
  const kind = listKindOf(call.method);
  if (kind !== undefined) return { kind: 'own', answer: () => mergedList(book, call, kind, hubInfo) };
  switch (call.method) {
    case 'prompts/get': {
      const { server, name } = await ownerOfPrompt(book, call, textAt(call.params, 'name'));
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
