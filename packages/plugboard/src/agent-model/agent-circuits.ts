import type { ModelCircuits } from '@plugboard/agent';
import type { AgentModel } from '@plugboard/contract';

const MOST = 1000;

/** The circuit breakers of the models of agents. They outlive the questions, each of which makes a provider of its own. */
export class AgentCircuits {
  readonly #most: number;
  readonly #known = new Map<string, ModelCircuits>();

  constructor(most: number = MOST) {
    this.#most = most;
  }

  /** Those of the agent, as long as it has the same model at the same place. */
  of(agentId: string, { provider, name, base_url, fallback }: AgentModel, create: () => ModelCircuits): ModelCircuits {
    const key = JSON.stringify([agentId, provider, name, base_url, fallback]);
    const circuits = this.#known.get(key) ?? create();
    // The one that was used last stands last.
    this.#known.delete(key);
    this.#known.set(key, circuits);
    const [oldest] = this.#known.keys();
    if (this.#known.size > this.#most && oldest !== undefined) this.#known.delete(oldest);
    return circuits;
  }
}
