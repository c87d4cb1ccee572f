import { PlugboardError } from '@plugboard/contract';
import { type Caller, LOCAL_CALLER } from '../../call/caller.js';
import { assertServerFor, registeredName } from '../catalogue/catalogue-lookup.js';
import type { CatalogueSource } from '../catalogue/catalogue-source.js';
import { hubScope } from './hub-scope.js';
import { narrowedScope } from './narrowed-scope.js';
import type { Scope } from '../../call/scope.js';
import { serverScope } from './server-scope.js';

/** Finds the scope of a toolset; undefined when there is none of that name. */
export type ToolsetScopes = (name: string) => Scope | undefined;

/** The scopes of all endpoints, kept so that what they derive from the catalogue is derived once. */
export class Scopes {
  readonly all: Scope;
  readonly #catalogue: CatalogueSource;
  readonly #toolsets: ToolsetScopes;
  readonly #servers = new Map<string, Scope>();
  /** By the rights of a caller, then by what they narrow. */
  readonly #narrowed = new WeakMap<() => unknown, WeakMap<Scope, Scope>>();

  constructor(catalogue: CatalogueSource, toolsets: ToolsetScopes = () => undefined) {
    this.#catalogue = catalogue;
    this.#toolsets = toolsets;
    this.all = hubScope(catalogue);
  }

  /** Throws SERVER_NOT_FOUND or, for one that is switched off, PERMISSION_DENIED. */
  server(path: string, caller: Caller = LOCAL_CALLER): Scope {
    const name = registeredName(this.#catalogue, path);
    try {
      assertServerFor(this.#catalogue, name, caller);
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

  /** Throws NOT_FOUND, also for a toolset that the caller may not use. */
  toolset(name: string, caller: Caller = LOCAL_CALLER): Scope {
    const scope = this.#mayUse(name, caller) ? this.#toolsets(name) : undefined;
    if (scope !== undefined) return scope;
    throw new PlugboardError('NOT_FOUND', `There is no toolset named "${name}".`, {
      hint: { api: 'GET /v1/toolsets lists the names.', cli: '`plugboard toolset list` shows the names.' },
    });
  }

  /** The endpoint as this caller sees it; the same object for the same caller and endpoint. */
  for(scope: Scope, { grant }: Caller): Scope {
    if (grant === undefined) return scope;
    const ofCaller = this.#narrowed.get(grant) ?? new WeakMap<Scope, Scope>();
    this.#narrowed.set(grant, ofCaller);
    const known = ofCaller.get(scope) ?? narrowedScope(scope, grant);
    ofCaller.set(scope, known);
    return known;
  }

  #mayUse(name: string, { grant }: Caller): boolean {
    const allowed = grant?.();
    if (allowed === undefined) return true;
    const toolset = this.#catalogue.snapshot().toolsets?.find((known) => known.name === name);
    return toolset !== undefined && allowed.allowsToolset(toolset);
  }
}
