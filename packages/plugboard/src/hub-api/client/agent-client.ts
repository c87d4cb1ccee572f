import { agent, type Agent, type AgentCreate, type AgentUpdate } from '@plugboard/contract';
import type { HubApi } from '../hub-api.js';
import { type EntryClient, entryClient } from './entry-client.js';

/** Agents. Values of variables come masked. */
export type AgentClient = EntryClient<Agent, AgentCreate, AgentUpdate>;

export const agentClient = (api: HubApi): AgentClient =>
  entryClient(api, { kind: 'agent', path: '/v1/agents', schema: agent });
