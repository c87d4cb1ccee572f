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

/** A stranger has no server to look at, and no service either. */
const mayLook = ({ role, servers }: Principal): boolean => role !== 'agent' && servers === undefined;

/** Tokens of one person may allow more or less: what one of them opened is not for another that allows less. */
const bindingOf = ({ id, role, agent, servers }: Principal): string => JSON.stringify([id, role, agent, servers]);

/** Who makes which request, and what the gateway needs to know of them. */
export class Callers {
  readonly #registry: Pick<Registry, 'agents' | 'snapshot'>;
  readonly #principals = new WeakMap<IncomingMessage, Principal>();
  readonly #known = new Map<string, Caller>();
  #last: Known | undefined;

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
    const last = this.#last;
    if (last?.principal === principal) return last.caller;
    const binding = bindingOf(principal);
    const caller = this.#known.get(binding) ?? this.#make(principal, binding);
    this.#last = { principal, caller };
    return caller;
  }

  #make(principal: Principal, binding: string): Caller {
    const caller: Caller = {
      ...loginUserOf(principal),
      binding,
      seesServices: mayLook(principal),
      ...(principal.agent === undefined ? {} : { agent: principal.agent }),
      grant: this.#grantFor(principal),
    };
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    this.#known.set(binding, caller);
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
