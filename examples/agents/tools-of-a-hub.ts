import { agentFromHub, type AgentTools, createMcpToolsFromAgent } from '@plugboard/agent';

/** The tools of an agent of the hub, or those of one of its toolsets. Declare the result with `await using`. */
export const toolsOfHub = (url: string, key: string, toolset?: string): Promise<AgentTools> =>
  createMcpToolsFromAgent(agentFromHub({ url, key, ...(toolset === undefined ? {} : { toolset }) }), {
    provider: 'anthropic',
  });
