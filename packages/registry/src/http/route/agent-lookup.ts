import { PlugboardError, type KeptAgent } from '@plugboard/contract';
import type { Context } from 'hono';
import type { Registry } from '../../facade/registry.js';
import { principalOf } from '../endpoint/admission.js';

/** The agent of this id or name. To another agent, it does not exist. */
export const agentFor = async (registry: Registry, c: Context, idOrName: string): Promise<KeptAgent> => {
  const principal = principalOf(c);
  const missing = (): PlugboardError =>
    new PlugboardError('NOT_FOUND', 'There is no agent with this name or id.', {
      hint: { api: 'GET /v1/agents lists them.', cli: '`plugboard agent list` shows them.' },
    });
  if (principal.role !== 'agent') return registry.agents.get(idOrName);
  if (principal.agent === undefined) throw missing();
  const own = await registry.agents.get(principal.agent);
  if (own.id !== idOrName && own.name !== idOrName) throw missing();
  return own;
};
