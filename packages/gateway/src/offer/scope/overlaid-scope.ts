import type { CatalogueEntry, CatalogueSnapshot, ServerId, SessionOffer, Tool } from '@plugboard/contract';
import { refuseTool } from '../catalogue/catalogue-lookup.js';
import type { CatalogueSource } from '../catalogue/catalogue-source.js';
import type { OfferedTool, ServerTool } from '../../call/offered-tool.js';
import type { Scope } from '../../call/scope.js';
import { snapshotView } from '../catalogue/snapshot-view.js';

/** What a session is offered in another way than everybody, by server. */
export type OffersOfSession = ReadonlyMap<ServerId, SessionOffer>;

interface Extras {
  readonly tools: readonly ServerTool[];
  readonly byName: ReadonlyMap<string, ServerTool>;
}

interface Listed {
  readonly of: readonly OfferedTool[];
  readonly extras: Extras;
  readonly tools: WeakRef<readonly OfferedTool[]>;
}

/** What servers offer to the session beside or instead of what the catalogue has. */
const entriesOf = (offers: OffersOfSession, { entries }: CatalogueSnapshot): readonly CatalogueEntry[] =>
  entries.flatMap(({ server }) => {
    const offer = server.enabled ? offers.get(server.id) : undefined;
    return offer === undefined ? [] : [{ server, tools: offer.tools, definitions: offer.definitions }];
  });

/** As the endpoint would offer them. Only legacy servers have sessions. */
const extrasOf = (scope: Scope, entries: readonly CatalogueEntry[]): Extras => {
  const tools = entries
    .flatMap((entry) => scope.extras(entry))
    .map((tool): ServerTool => ({ ...tool, readIn: 'legacy' }));
  return { tools, byName: new Map(tools.map((tool) => [tool.name, tool])) };
};

/** The tool that the endpoint would offer under this name if it were not withheld. */
const withheldOf = (scope: Scope, entries: readonly CatalogueEntry[], name: string): Tool | undefined => {
  for (const entry of entries) {
    const tools = entry.tools.filter(({ enabled }) => !enabled).map((tool) => ({ ...tool, enabled: true }));
    const found = tools.length === 0 ? undefined : scope.extras({ ...entry, tools }).find((each) => each.name === name);
    if (found !== undefined) return entry.tools.find(({ id }) => id === found.tool.id);
  }
  return undefined;
};

/** Does the endpoint list tools that stand for all others? Then those of a session are searched for, too. */
const isSearched = (tools: readonly OfferedTool[]): boolean => tools.some(({ kind }) => kind === 'local');

/**
 * An endpoint as one session sees it. Only what differs is kept; the whole list is put together when somebody asks for
 * it, and is forgotten when nobody uses it any more.
 */
export const overlaidScope = (scope: Scope, offers: OffersOfSession, catalogue: CatalogueSource): Scope => {
  const view = snapshotView(catalogue, (snapshot) => {
    const entries = entriesOf(offers, snapshot);
    return { entries, extras: extrasOf(scope, entries) };
  });
  const covers = (offered: OfferedTool): boolean => {
    if (offered.kind === 'local') return false;
    const offer = offers.get(offered.server.id);
    const { upstream_name } = offered.tool;
    return offer !== undefined && (offer.hidden.has(upstream_name) || offer.definitions.has(upstream_name));
  };
  let listed: Listed | undefined;
  return {
    ...scope,
    ofSession: { more: () => view().extras.tools, covers },
    tools: () => {
      const of = scope.tools();
      const { extras } = view();
      const known = listed?.of === of && listed.extras === extras ? listed.tools.deref() : undefined;
      if (known !== undefined) return known;
      const tools = [...of.filter((tool) => !covers(tool)), ...(isSearched(of) ? [] : extras.tools)];
      listed = { of, extras, tools: new WeakRef(tools) };
      return tools;
    },
    findTool: (name) => {
      const { entries, extras } = view();
      const own = extras.byName.get(name);
      if (own !== undefined) return own;
      const withheld = withheldOf(scope, entries, name);
      const found = withheld === undefined ? scope.findTool(name) : undefined;
      return found === undefined || covers(found) ? refuseTool(name, withheld) : found;
    },
  };
};
