import type { LlmRequest, OfferedTool } from './llm-request.js';

/** Why the provider would refuse tools: the name of one, and a sentence. */
export interface ToolObjection {
  readonly tool: string;
  readonly message: string;
}

/**
 * Judges the tools of a request by the rules of the provider. The double has the rules that no provider waives; give it
 * the profiles of the schema doctor for the rest.
 */
export type ToolJudge = (api: LlmRequest['api'], tools: readonly OfferedTool[]) => readonly ToolObjection[];

interface Limits {
  readonly name: RegExp;
  readonly most: number;
}

const LIMITS: Readonly<Record<LlmRequest['api'], Limits>> = {
  'openai-chat': { name: /^[a-zA-Z0-9_-]{1,64}$/u, most: 128 },
  'openai-responses': { name: /^[a-zA-Z0-9_-]{1,64}$/u, most: 128 },
  anthropic: { name: /^[a-zA-Z0-9_-]{1,128}$/u, most: Number.POSITIVE_INFINITY },
  bedrock: { name: /^[a-zA-Z0-9_-]{1,64}$/u, most: Number.POSITIVE_INFINITY },
  gemini: { name: /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/u, most: 512 },
};

const objectionTo = ({ name, inputSchema }: OfferedTool, limits: Limits): string | undefined => {
  if (!limits.name.test(name)) return `Its name does not match ${limits.name.source}.`;
  if (inputSchema['type'] !== 'object') return 'The type of its schema is not "object".';
  return undefined;
};

/** The rules of names, counts and roots. */
export const plainJudge: ToolJudge = (api, tools) => {
  const limits = LIMITS[api];
  const names = tools.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) return [{ tool: twice, message: 'Two tools have this name.' }];
  if (tools.length > limits.most) {
    return [{ tool: String(names.at(-1)), message: `There are ${tools.length} tools, more than ${limits.most}.` }];
  }
  return tools.flatMap((tool) => {
    const message = objectionTo(tool, limits);
    return message === undefined ? [] : [{ tool: tool.name, message }];
  });
};
