import { type AgentTools, toolsFromCalls } from '@plugboard/agent';
import type { ProfileId } from '@plugboard/schema';
import { gatewayTools } from '../../agent-model/gateway-tools.js';
import { askingCall, type ServerAnswers } from './asking-call.js';
import type { HubApi } from '../../hub-api/hub-api.js';

const CALL_MS = 300_000;

export interface ChatToolsOptions {
  readonly toolsets: readonly string[];
  readonly provider: ProfileId;
  readonly signal: AbortSignal;
  /** Answers what servers ask back; without it, they cannot ask. */
  readonly answers: ServerAnswers | undefined;
}

/** The tools that the user of the hub may call, or those of some toolsets, for a model. */
export const chatTools = async (
  api: HubApi,
  { toolsets, provider, signal, answers }: ChatToolsOptions,
): Promise<AgentTools> => {
  const found = await gatewayTools(
    async (method, segments, body, called) => {
      const [kind, name = '', , tool] = segments;
      if (answers !== undefined && tool !== undefined && (kind === 'servers' || kind === 'toolsets')) {
        const call = { kind, name, tool, args: body ?? {} } as const;
        return askingCall(api, call, answers, { signal: called ?? signal, deadlineMs: CALL_MS });
      }
      const path = `/${segments.map(encodeURIComponent).join('/')}`;
      const options = { body, signal: called, deadlineMs: CALL_MS };
      return (await api.request(method, path, options)).json;
    },
    toolsets,
    { onlyToolsets: toolsets.length > 0, signal },
  );
  return toolsFromCalls(found, { provider });
};
