import type { Tool, ToolAdaptation, ToolDefinition } from '@plugboard/contract';
import { adaptTool, type ProfileId, toProviderVerdict } from '@plugboard/schema';

const definitionOf = ({ upstream_name, description, input_schema }: Tool): ToolDefinition => ({
  name: upstream_name,
  ...(description === null ? {} : { description }),
  inputSchema: input_schema,
});

/** A stored tool, rewritten for one provider profile. */
export const toolAdaptationView = (tool: Tool, provider: ProfileId): ToolAdaptation => {
  const adaptation = adaptTool(definitionOf(tool), provider);
  return { provider, verdict: toProviderVerdict(adaptation), definition: adaptation.definition };
};
