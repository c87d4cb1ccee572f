import { isJsonObject, tryJson } from '@plugboard/base';
import { callsOf, type MediaPart, type Message } from '../../conversation/message.js';
import type { ModelRequest, ModelTool, ToolChoice } from '../../conversation/model-request.js';
import { tidyMessages } from '../../conversation/tidy-messages.js';
import { wellFormed, wellFormedValue } from '../../conversation/well-formed.js';
import { alternate, OPENING } from '../alternate.js';
import type { FeatureLookup, ModelFeatures } from '../feature/model-features.js';
import { withOutputTool } from '../output-tool.js';
import { givenThought } from './bedrock-answer.js';

type Block = Readonly<Record<string, unknown>>;

interface Turn {
  readonly role: 'user' | 'assistant';
  readonly content: readonly Block[];
}

const FORMATS = ['png', 'jpeg', 'gif', 'webp'] as const;
const CACHE_POINT = { cachePoint: { type: 'default' } };

const mediaBlock = ({ data, mimeType }: MediaPart): Block => {
  const format = FORMATS.find((one) => mimeType === `image/${one}`);
  return format === undefined
    ? { text: `[Content of the type ${mimeType} cannot be shown.]` }
    : { image: { format, source: { bytes: new Uint8Array(Buffer.from(data, 'base64')) } } };
};

const inputOf = (text: string): Block => {
  const value = tryJson(text);
  return isJsonObject(value) ? value : {};
};

const turnOf = (message: Message): Turn => {
  switch (message.role) {
    case 'user':
      return {
        role: 'user',
        content: message.content.map((part) => (part.type === 'text' ? { text: part.text } : mediaBlock(part))),
      };
    case 'assistant':
      return {
        role: 'assistant',
        content: message.content.flatMap((part): readonly Block[] => {
          if (part.type === 'text') return [{ text: part.text }];
          if (part.type === 'tool-call') {
            return [{ toolUse: { toolUseId: part.id, name: part.name, input: inputOf(part.arguments) } }];
          }
          return [givenThought(part) ?? []].flat();
        }),
      };
    case 'tool':
      return {
        role: 'user',
        content: message.results.map(({ callId, text, media, isError }) => ({
          toolResult: {
            toolUseId: callId,
            content: [
              // Bedrock rejects blank texts and results without content.
              ...(text.trim() === '' && media.length > 0 ? [] : [{ text: text.trim() === '' ? '[empty]' : text }]),
              ...media.map(mediaBlock),
            ],
            status: isError ? 'error' : 'success',
          },
        })),
      };
  }
};

const choiceOf = (choice: ToolChoice | undefined): object | undefined => {
  if (typeof choice === 'object') return { tool: { name: choice.tool } };
  if (choice === 'required') return { any: {} };
  return choice === 'auto' ? { auto: {} } : undefined;
};

/** Tools that were called must be described, also when none is offered any more. */
const requiredTools = ({ tools = [], toolChoice, messages }: ModelRequest): readonly ModelTool[] => {
  const called = messages.flatMap((message) => (message.role === 'assistant' ? callsOf(message.content) : []));
  if (toolChoice === 'none' && called.length === 0) return [];
  const missing = new Set(called.map(({ name }) => name).filter((name) => !tools.some((tool) => tool.name === name)));
  return [...tools, ...[...missing].map((name) => ({ name, inputSchema: { type: 'object' } }))];
};

const toolMembers = (request: ModelRequest, thinks: boolean): object => {
  const tools = requiredTools(request);
  if (tools.length === 0) return {};
  const forced = request.toolChoice === 'required' || typeof request.toolChoice === 'object';
  const toolChoice = choiceOf(thinks && forced ? 'auto' : request.toolChoice);
  return {
    toolConfig: {
      tools: [
        ...tools.map(({ name, description, inputSchema }) => ({
          toolSpec: {
            name,
            ...(description === undefined || description === '' ? {} : { description: wellFormed(description) }),
            inputSchema: { json: wellFormedValue(inputSchema) },
          },
        })),
        ...(request.cache === true ? [CACHE_POINT] : []),
      ],
      ...(toolChoice === undefined ? {} : { toolChoice }),
    },
  };
};

/** A beginning of the answer: models of Anthropic reject one that ends with white space or has thoughts. */
const prefill = ({ role, content }: Turn): Turn => {
  const said = content.filter(({ text }) => typeof text === 'string');
  return {
    role,
    content: said.map(({ text }, at) => ({ text: at === said.length - 1 ? String(text).trimEnd() : text })),
  };
};

const conversationOf = ({ messages, cache }: ModelRequest): readonly Turn[] => {
  const turns = alternate(tidyMessages(messages).map(turnOf));
  const opened =
    turns[0]?.role === 'assistant' ? [{ role: 'user' as const, content: [{ text: OPENING }] }, ...turns] : turns;
  const given = opened.at(-1);
  if (given === undefined) return opened;
  const last = given.role === 'assistant' ? prefill(given) : given;
  const content = cache === true ? [...last.content, CACHE_POINT] : last.content;
  return [...opened.slice(0, -1), { ...last, content }];
};

const LEAST_THINKING = 1024;
const DEFAULT_THINKING = 4096;

const budgetOf = ({ thinking }: ModelRequest): number =>
  Math.max(LEAST_THINKING, thinking?.budgetTokens ?? DEFAULT_THINKING);

/** What Converse has no word for is passed on to the model. */
const modelFields = ({ thinking }: ModelRequest, features: ModelFeatures, budget: number): object | undefined => {
  if (thinking === undefined || features.thinking === 'none') return undefined;
  if (features.thinking === 'budget') return { thinking: { type: 'enabled', budget_tokens: budget } };
  const { effort } = thinking;
  return {
    thinking: { type: 'adaptive' },
    ...(features.effort && effort !== undefined ? { output_config: { effort } } : {}),
  };
};

/** The input of Converse. */
export const bedrockRequest = (given: ModelRequest, lookup: FeatureLookup): Record<string, unknown> => {
  const features = lookup(given.model);
  const fields = modelFields(given, features, budgetOf(given));
  const thinks = fields !== undefined || features.alwaysThinks;
  const request = withOutputTool(given, !thinks);
  const { model, system, maxTokens, temperature, stop, cache } = request;
  const budget = fields !== undefined && features.thinking === 'budget' ? budgetOf(given) : 0;
  const most = maxTokens !== undefined && maxTokens <= budget ? maxTokens + budget : maxTokens;
  const inference = {
    ...(most === undefined ? {} : { maxTokens: most }),
    ...(temperature === undefined || thinks ? {} : { temperature }),
    ...(stop === undefined ? {} : { stopSequences: [...stop] }),
  };
  return {
    modelId: model,
    messages: conversationOf(request),
    ...(system === undefined || system.trim() === ''
      ? {}
      : { system: [{ text: wellFormed(system) }, ...(cache === true ? [CACHE_POINT] : [])] }),
    ...toolMembers(request, thinks),
    ...(Object.keys(inference).length === 0 ? {} : { inferenceConfig: inference }),
    ...(fields === undefined ? {} : { additionalModelRequestFields: fields }),
  };
};

/** The input of CountTokens: the members of Converse that the model reads. */
export const bedrockCount = (request: ModelRequest, lookup: FeatureLookup): Record<string, unknown> => {
  const { modelId, inferenceConfig: _, ...converse } = bedrockRequest(request, lookup);
  return { modelId, input: { converse } };
};
