import type { Secret } from '../secret/secret.js';
import type { Agent } from './agent.js';

/** An agent as the hub keeps it in memory. */
export type KeptAgent = Omit<Agent, 'variables'> & { readonly variables: Readonly<Record<string, Secret>> };
