import { type Grant, PlugboardError, type Server } from '@plugboard/contract';
import { refuseTool } from '../catalogue/catalogue-lookup.js';
import type { OfferedTool, ServerTool } from '../../call/offered-tool.js';
import type { Scope } from '../../call/scope.js';

/** The hub's own tools act on what the caller may use, so they are everybody's. */
const allowedAt =
  ({ curated }: Scope) =>
  (grant: Grant, offered: OfferedTool): boolean =>
    offered.kind === 'local' ||
    (curated === true ? grant.allowsInToolset(offered.tool) : grant.allowsTool(offered.tool));

/** The same list as long as neither the tools nor the rights changed. */
const filtering = <Item>(keep: (grant: Grant, item: Item) => boolean) => {
  let kept: { readonly of: readonly Item[]; readonly grant: Grant; readonly items: readonly Item[] } | undefined;
  return (items: readonly Item[], grant: Grant | undefined): readonly Item[] => {
    if (grant === undefined) return items;
    if (kept?.of !== items || kept.grant !== grant) {
      kept = { of: items, grant, items: items.filter((item) => keep(grant, item)) };
    }
    return kept.items;
  };
};

/** What stays of an endpoint for one caller. What it may not use does not exist for it. */
export const narrowedScope = (scope: Scope, grantNow: () => Grant | undefined): Scope => {
  const allows = allowedAt(scope);
  const tools = filtering<OfferedTool>(allows);
  const callable = filtering<ServerTool>(allows);
  const { callable: all } = scope;
  const servers = filtering<Server>((grant, server) => grant.allowsServer(server.id));
  return {
    ...scope,
    servers: () => servers(scope.servers(), grantNow()),
    tools: () => tools(scope.tools(), grantNow()),
    ...(all === undefined ? {} : { callable: () => callable(all(), grantNow()) }),
    extras: (entry) => {
      const grant = grantNow();
      const all = scope.extras(entry);
      return grant === undefined ? all : all.filter((tool) => allows(grant, tool));
    },
    findTool: (name) => {
      const grant = grantNow();
      if (grant === undefined) return scope.findTool(name);
      try {
        const found = scope.findTool(name);
        if (allows(grant, found)) return found;
      } catch (thrown) {
        // Why a tool is withheld may tell of what the caller must not know.
        if (!(thrown instanceof PlugboardError)) throw thrown;
      }
      return refuseTool(name, undefined);
    },
  };
};
