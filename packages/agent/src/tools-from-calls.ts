import { fitList, type ProfileId } from '@plugboard/schema';
import { wellFormedValue } from './conversation/well-formed.js';
import { nameTools } from './name/name-tools.js';
import type { AgentTools, RejectedTool } from './tool/agent-tools.js';
import { type CallableTool, CalledTool } from './tool/called-tool.js';

export interface ToolsFromCallsOptions {
  readonly provider?: ProfileId | undefined;
  readonly maxResultCharacters?: number | undefined;
}

const MAX_RESULT_CHARACTERS = 100_000;

/** Tools for a model from tools that somebody else calls. There are no clients to release. */
export const toolsFromCalls = (
  found: readonly CallableTool[],
  { provider = 'openai', maxResultCharacters = MAX_RESULT_CHARACTERS }: ToolsFromCallsOptions = {},
): AgentTools => {
  const names = nameTools(
    found.map(({ server, definition }, at) => ({ key: String(at), server, tool: definition.name })),
  );
  const shown = found.map(({ definition }, at) => ({
    ...wellFormedValue(definition),
    name: names.get(String(at)) ?? definition.name,
  }));
  const rejected: RejectedTool[] = [];
  const tools = fitList(shown, provider).tools.flatMap((adaptation, at) => {
    const tool = found[at];
    if (tool === undefined) return [];
    if (adaptation.verdict !== 'rejected') return [new CalledTool(tool, adaptation, maxResultCharacters)];
    rejected.push({ server: tool.server, tool: tool.definition.name, reasons: adaptation.reasons });
    return [];
  });
  const dispose = (): Promise<void> => Promise.resolve();
  return { provider, tools, rejected, clients: [], dispose, [Symbol.asyncDispose]: dispose };
};
