import { PlugboardError } from '@plugboard/contract';
import { requireServer } from '../catalogue-lookup.js';
import type { CatalogueSource } from '../catalogue-source.js';
import { hubScope } from './hub-scope.js';
import type { Scope } from './scope.js';
import { serverScope } from './server-scope.js';

/** Finds the scope of a toolset; undefined when there is none of that name. */
export type ToolsetScopes = (name: string) => Scope | undefined;

/** The scopes of all endpoints, kept so that what they derive from the catalogue is derived once. */
export class Scopes {
  readonly all: Scope;
  readonly #catalogue: CatalogueSource;
  readonly #toolsets: ToolsetScopes;
  readonly #servers = new Map<string, Scope>();

  constructor(catalogue: CatalogueSource, toolsets: ToolsetScopes = () => undefined) {
    this.#catalogue = catalogue;
    this.#toolsets = toolsets;
    this.all = hubScope(catalogue);
  }

  /** Throws SERVER_NOT_FOUND or, for one that is switched off, PERMISSION_DENIED. */
  server(name: string): Scope {
    try {
      requireServer(this.#catalogue, name);
    } catch (thrown) {
      this.#servers.delete(name);
      throw thrown;
    }
    const known = this.#servers.get(name);
    if (known !== undefined) return known;
    const scope = serverScope(this.#catalogue, name);
    this.#servers.set(name, scope);
    return scope;
  }

  toolset(name: string): Scope {
    const scope = this.#toolsets(name);
    if (scope !== undefined) return scope;
    throw new PlugboardError('NOT_FOUND', `There is no toolset named "${name}".`, {
      hint: 'GET /v1/toolsets lists the names.',
    });
  }
}
