import { mediaOf } from '../result/media.js';
import { isStrict } from '../tool/is-strict.js';
import type { ToolOutcome } from '../result/tool-outcome.js';
import { toldText } from './told-text.js';
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

export interface AiSdkOptions {
  /**
   * `shown`: pictures are parts of the result. `named`: its text says that there are some; the AI SDK writes parts as JSON
   * text for models of OpenAI's Chat Completions. Default: `shown`.
   */
  readonly media?: 'shown' | 'named' | undefined;
}

/** Only models of Gemini accept a sound in a result. */
const modelOutput = (outcome: ToolOutcome, shows: (kind: 'image' | 'audio') => boolean): ModelOutput => {
  const media = mediaOf(outcome);
  const shown = media.filter(({ kind }) => shows(kind));
  const value = toldText(
    outcome,
    media.filter((one) => !shown.includes(one)),
  );
  if (outcome.isError) return { type: 'error-text', value };
  if (shown.length === 0) return { type: 'text', value };
  const parts = shown.map(({ kind, data, mimeType }) =>
    kind === 'image'
      ? { type: 'image-data' as const, data, mediaType: mimeType }
      : { type: 'file-data' as const, data, mediaType: mimeType },
  );
  // Some providers reject an empty text.
  return { type: 'content', value: [...(value === '' ? [] : [{ type: 'text' as const, text: value }]), ...parts] };
};

/** Tools for the AI SDK: `aiSdkTools(agent, ({ schema, ...fields }) => dynamicTool({ ...fields, inputSchema: jsonSchema(schema) }))`. */
export const aiSdkTools = <Tool>(
  agent: AgentTools,
  create: (fields: AiSdkFields) => Tool,
  { media = 'shown' }: AiSdkOptions = {},
): Record<string, Tool> => {
  const shows = (kind: 'image' | 'audio'): boolean =>
    media === 'shown' && (kind === 'image' || agent.provider === 'gemini');
  return Object.fromEntries(
    agent.tools.map((tool) => {
      const { description } = tool.definition;
      const { schema, call } = toolForLibrary(tool);
      const made = create({
        ...(typeof description === 'string' ? { description } : {}),
        schema,
        strict: isStrict(tool),
        execute: (args, { abortSignal }) => call(args, abortSignal),
        toModelOutput: ({ output }) => modelOutput(output as ToolOutcome, shows),
      });
      return [tool.name, made];
    }),
  );
};
