import type { IncomingMessage } from 'node:http';
import { type Grant, grantOf, type KeptAgent, loginUserOf, type Principal, type Toolset } from '@plugboard/contract';
import type { Caller } from '@plugboard/gateway';
import type { Registry } from '@plugboard/registry';

interface Known {
  readonly principal: Principal;
  readonly caller: Caller;
}

interface WorkedOut {
  readonly agent: KeptAgent | undefined;
  readonly toolsets: readonly Toolset[];
  readonly grant: Grant | undefined;
}

const NONE: readonly Toolset[] = [];
const MAX_KNOWN = 10_000;

const samePrincipal = (a: Principal, b: Principal): boolean =>
  a === b || (a.role === b.role && a.agent === b.agent && JSON.stringify(a.servers) === JSON.stringify(b.servers));

/** Who makes which request, and what the gateway needs to know of them. */
export class Callers {
  readonly #registry: Pick<Registry, 'agents' | 'snapshot'>;
  readonly #principals = new WeakMap<IncomingMessage, Principal>();
  readonly #known = new Map<string, Known>();

  constructor(registry: Pick<Registry, 'agents' | 'snapshot'>) {
    this.#registry = registry;
  }

  /** From now on it is known who makes the request. */
  remember(request: IncomingMessage, principal: Principal): void {
    this.#principals.set(request, principal);
  }

  /** What is known of agents is as it was a moment ago, also when another process changed it. */
  refresh(): Promise<void> {
    return this.#registry.agents.refresh();
  }

  principalOf(request: IncomingMessage): Principal | undefined {
    return this.#principals.get(request);
  }

  /** The same for the same principal, so that what is derived from its rights is derived once. */
  callerFor(principal: Principal): Caller {
    const known = this.#known.get(principal.id);
    if (known !== undefined && samePrincipal(known.principal, principal)) return known.caller;
    const caller: Caller = {
      ...loginUserOf(principal),
      ...(principal.agent === undefined ? {} : { agent: principal.agent }),
      grant: this.#grantFor(principal),
    };
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    this.#known.set(principal.id, { principal, caller });
    return caller;
  }

  #grantFor(principal: Principal): () => Grant | undefined {
    let last: WorkedOut | undefined;
    return () => {
      const agent = principal.agent === undefined ? undefined : this.#registry.agents.known(principal.agent);
      const toolsets = this.#registry.snapshot().toolsets ?? NONE;
      if (last === undefined || last.agent !== agent || last.toolsets !== toolsets) {
        last = { agent, toolsets, grant: grantOf(principal, agent, toolsets) };
      }
      return last.grant;
    };
  }
}
