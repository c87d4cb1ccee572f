import { mediaOf } from '../result/media.js';
import { outcomeText } from '../result/outcome-text.js';
import { isStrict } from '../tool/is-strict.js';
import type { ToolOutcome } from '../result/tool-outcome.js';
import { toolForLibrary } from './tool-for-library.js';
import type { AgentTools } from '../tool/agent-tools.js';

type ModelOutput =
  | { type: 'text' | 'error-text'; value: string }
  | {
      type: 'content';
      value: ({ type: 'text'; text: string } | { type: 'image-data' | 'file-data'; data: string; mediaType: string })[];
    };

/** What `dynamicTool` of the AI SDK is given. */
export interface AiSdkFields {
  description?: string;
  schema: Record<string, unknown>;
  /** OpenAI's Responses is strict unless it is told otherwise. */
  strict: boolean;
  execute: (args: unknown, options: { readonly abortSignal?: AbortSignal | undefined }) => Promise<ToolOutcome>;
  toModelOutput: (options: { readonly output: unknown }) => ModelOutput;
}

const modelOutput = (outcome: ToolOutcome): ModelOutput => {
  const value = outcomeText(outcome);
  const media = mediaOf(outcome);
  if (outcome.isError) return { type: 'error-text', value };
  if (media.length === 0) return { type: 'text', value };
  const parts = media.map(({ kind, data, mimeType }) =>
    kind === 'image'
      ? { type: 'image-data' as const, data, mediaType: mimeType }
      : { type: 'file-data' as const, data, mediaType: mimeType },
  );
  return { type: 'content', value: [{ type: 'text', text: value }, ...parts] };
};

/** Tools for the AI SDK: `aiSdkTools(agent, ({ schema, ...fields }) => dynamicTool({ ...fields, inputSchema: jsonSchema(schema) }))`. */
export const aiSdkTools = <Tool>(agent: AgentTools, create: (fields: AiSdkFields) => Tool): Record<string, Tool> =>
  Object.fromEntries(
    agent.tools.map((tool) => {
      const { description } = tool.definition;
      const { schema, call } = toolForLibrary(tool);
      const made = create({
        ...(typeof description === 'string' ? { description } : {}),
        schema,
        strict: isStrict(tool),
        execute: (args, { abortSignal }) => call(args, abortSignal),
        toModelOutput: ({ output }) => modelOutput(output as ToolOutcome),
      });
      return [tool.name, made];
    }),
  );
