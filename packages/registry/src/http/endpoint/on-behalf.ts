import {
  HUB_LOGIN,
  loginHolder,
  loginUserOf,
  loginUserOfAgent,
  PlugboardError,
  type AgentId,
  type LoginUser,
  type Server,
} from '@plugboard/contract';
import type { Context } from 'hono';
import type { Registry } from '../../facade/registry.js';
import { principalOf } from './admission.js';

/** On whose behalf a server is reached. */
export interface Behalf {
  readonly agent?: AgentId | undefined;
  readonly user: LoginUser;
}

const noAgent = (): PlugboardError =>
  new PlugboardError('NOT_FOUND', 'There is no agent with this id.', {
    hint: { api: 'GET /v1/agents lists them.', cli: '`plugboard agent list` shows them.' },
  });

/** The caller, or the agent that it names. To an agent, there is no other. */
export const behalfOf = async (registry: Registry, c: Context, named: string | undefined): Promise<Behalf> => {
  const principal = principalOf(c);
  if (named === undefined) return { agent: principal.agent, user: loginUserOf(principal) };
  if (principal.role === 'agent' && principal.agent !== named) throw noAgent();
  const { id } = await registry.agents.get(named);
  return { agent: id, user: { ...loginUserOfAgent(id), principal: principal.id } };
};

/** How a server is reached for a request: on whose behalf, and for as long as the caller waits. */
export const reachFor = async (
  registry: Registry,
  c: Context,
  named?: string,
): Promise<Behalf & { readonly signal: AbortSignal }> => ({
  ...(await behalfOf(registry, c, named)),
  signal: c.req.raw.signal,
});

/** Whose logins a request proves a right to. What came in this process, or from somebody who operates the hub, is for all. */
export const provenHolders = (c: Context): readonly string[] | 'any' => {
  const principal = principalOf(c);
  if (principal.role === 'admin' || principal.role === 'operator') return 'any';
  return principal.role === 'agent' ? holdersOf({ user: loginUserOf(principal) }) : [];
};

/** Whose login to a server it is. */
export const holderFor = ({ config }: Server, { user }: Behalf): string => loginHolder(config, user);

/** Whose logins a caller may see: its own; operators also those of the hub. */
export const holdersOf = ({ user: { principal, ownLogin } }: Behalf): readonly string[] =>
  ownLogin === undefined ? [...new Set([HUB_LOGIN, principal])] : [ownLogin];
