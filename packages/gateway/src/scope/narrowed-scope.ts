import { type Grant, PlugboardError, type Server } from '@plugboard/contract';
import type { OfferedTool } from './offered-tool.js';
import type { Scope } from './scope.js';

/** The hub's own tools act on what the caller may use, so they are everybody's. */
const allows = (grant: Grant, offered: OfferedTool): boolean =>
  offered.kind === 'local' || grant.allowsTool(offered.tool);

const noSuchTool = (name: string): PlugboardError =>
  new PlugboardError('TOOL_NOT_FOUND', `There is no tool named "${name}" here.`, {
    hint: 'tools/list shows the names; a tool that was just added appears after a sync.',
  });

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
  const tools = filtering<OfferedTool>(allows);
  const servers = filtering<Server>((grant, server) => grant.allowsServer(server.id));
  return {
    id: scope.id,
    kind: scope.kind,
    offers: scope.offers,
    instructions: scope.instructions,
    servers: () => servers(scope.servers(), grantNow()),
    tools: () => tools(scope.tools(), grantNow()),
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
      throw noSuchTool(name);
    },
  };
};
