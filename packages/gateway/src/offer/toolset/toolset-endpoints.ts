import { type CatalogueSnapshot, PlugboardError, type Toolset } from '@plugboard/contract';
import type { CatalogueSource } from '../catalogue/catalogue-source.js';
import type { ServerTool } from '../../call/offered-tool.js';
import type { Scope } from '../../call/scope.js';
import { toolNotOffered, toolsBeside, type ToolsetView, toolsetView } from './toolset-view.js';

interface Kept {
  readonly view: ToolsetView;
  /** What the view was made of: as long as these are the same, so is the view. */
  readonly sources: readonly unknown[];
}

const sourcesOf = (toolset: Toolset, snapshot: CatalogueSnapshot): readonly unknown[] => {
  const used = new Set<string>(toolset.entries.map(({ server_id }) => server_id));
  return [
    toolset.id,
    toolset.updated_at,
    ...snapshot.entries
      .filter(({ server }) => used.has(server.id))
      .flatMap(({ server, tools }) => [server.id, server.updated_at, server.enabled, tools]),
  ];
};

const same = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((value, index) => value === b[index]);

/** The toolsets of the catalogue as endpoints. What they offer is worked out once, until something of it changes. */
export class ToolsetEndpoints {
  readonly #catalogue: CatalogueSource;
  readonly #kept = new Map<string, Kept>();
  readonly #scopes = new Map<string, Scope>();

  constructor(catalogue: CatalogueSource) {
    this.#catalogue = catalogue;
  }

  /** Undefined when there is no toolset of that name. */
  readonly find = (name: string): Scope | undefined => {
    if (this.#toolset(name) === undefined) {
      this.#kept.delete(name);
      this.#scopes.delete(name);
      return undefined;
    }
    const known = this.#scopes.get(name);
    if (known !== undefined) return known;
    const scope = this.#scope(name);
    this.#scopes.set(name, scope);
    return scope;
  };

  /** What a toolset offers now. */
  readonly view = (toolset: Toolset): ToolsetView => {
    const snapshot = this.#catalogue.snapshot();
    const sources = sourcesOf(toolset, snapshot);
    const kept = this.#kept.get(toolset.name);
    if (kept !== undefined && same(kept.sources, sources)) return kept.view;
    const view = toolsetView(toolset, snapshot);
    this.#kept.set(toolset.name, { view, sources });
    return view;
  };

  #toolset(name: string): Toolset | undefined {
    return this.#catalogue.snapshot().toolsets?.find((toolset) => toolset.name === name);
  }

  #scope(name: string): Scope {
    const view = (): ToolsetView | undefined => {
      const toolset = this.#toolset(name);
      return toolset === undefined ? undefined : this.view(toolset);
    };
    const gone: readonly ServerTool[] = [];
    const description = this.#toolset(name)?.description;
    return {
      id: `toolset ${name}`,
      curated: true,
      kind: 'merged',
      offers: 'tools',
      ...(typeof description === 'string' ? { instructions: description } : {}),
      servers: () => view()?.servers ?? [],
      tools: () => view()?.listed ?? gone,
      callable: () => view()?.callableTools ?? gone,
      extras: (entry) => {
        const now = view();
        return now === undefined ? [] : toolsBeside(now, entry);
      },
      findTool: (tool) => {
        const now = view();
        const found = now?.callable.get(tool) ?? now?.listed.find((listed) => listed.name === tool);
        if (found !== undefined) return found;
        if (now !== undefined) throw toolNotOffered(now, tool);
        throw new PlugboardError('NOT_FOUND', `The toolset "${name}" was removed.`, {
          hint: {
            api: 'GET /v1/toolsets lists the toolsets.',
            cli: '`plugboard toolset list` shows the toolsets.',
          },
        });
      },
    };
  }
}
