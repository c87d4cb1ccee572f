import { isJsonObject } from '@plugboard/base';
import { type Message, textOf, userText } from '../conversation/message.js';
import { invalid, numberIn, readContent, readEffort, readFormat, readHubOptions, refuseTools } from './read-parts.js';
import type { ServedInput } from './served-input.js';

type Members = Readonly<Record<string, unknown>>;

const isInstruction = ({ role }: Members): boolean => role === 'system' || role === 'developer';

const messageOf = (item: Members, at: number): readonly Message[] => {
  const param = `input[${at}]`;
  if (item['type'] === 'function_call') {
    const { call_id: id, name, arguments: args } = item;
    const call = {
      type: 'tool-call' as const,
      id: String(id),
      name: String(name),
      arguments: typeof args === 'string' ? args : '{}',
    };
    return [{ role: 'assistant', content: [call] }];
  }
  if (item['type'] === 'function_call_output') {
    const text = textOf(readContent(item['output'], param));
    return [
      { role: 'tool', results: [{ callId: String(item['call_id']), name: '', text, media: [], isError: false }] },
    ];
  }
  if (item['type'] === 'reasoning' || isInstruction(item)) return [];
  if (item['type'] !== undefined && item['type'] !== 'message') {
    throw invalid(`Items of the type ${JSON.stringify(item['type'])} are not accepted.`, param);
  }
  const content = readContent(item['content'], param);
  if (item['role'] === 'user') return [{ role: 'user', content }];
  if (item['role'] === 'assistant') return [{ role: 'assistant', content: [{ type: 'text', text: textOf(content) }] }];
  throw invalid(`"${String(item['role'])}" is not a role.`, param);
};

const itemsOf = (input: unknown): readonly Members[] =>
  Array.isArray(input) ? input.map((item): Members => (isJsonObject(item) ? item : {})) : [];

const messagesOf = (input: unknown): readonly Message[] => {
  if (typeof input === 'string' && input !== '') return [userText(input)];
  const items = itemsOf(input);
  if (items.length === 0) throw invalid('"input" must not be empty.', 'input');
  return items.flatMap(messageOf);
};

const instructionsOf = ({ instructions, input }: Members): string | undefined => {
  const texts = [
    ...(typeof instructions === 'string' ? [instructions] : []),
    ...itemsOf(input)
      .filter(isInstruction)
      .map(({ content }) => textOf(readContent(content, 'input'))),
  ];
  return texts.length === 0 ? undefined : texts.join('\n\n');
};

const formatOf = (text: unknown) => {
  const format = isJsonObject(text) ? text['format'] : undefined;
  if (!isJsonObject(format) || format['type'] === 'text') return undefined;
  if (format['type'] === 'json_schema') return readFormat(format);
  throw invalid('Only the formats "text" and "json_schema" are accepted.', 'text.format');
};

/** Reads a request to Responses. The hub keeps no conversations, so the client sends all of it. */
export const readResponses = (body: Members): ServedInput => {
  const { model, previous_response_id: previous } = body;
  if (typeof model !== 'string' || model === '') throw invalid('"model" must name an agent.', 'model');
  if (typeof previous === 'string') {
    throw invalid('The hub keeps no responses: send the whole conversation in "input".', 'previous_response_id');
  }
  refuseTools(body['tools']);
  return {
    agent: model,
    system: instructionsOf(body),
    messages: messagesOf(body['input']),
    stream: body['stream'] === true,
    streamUsage: true,
    ...readHubOptions(body),
    maxTokens: numberIn(body['max_output_tokens']),
    temperature: numberIn(body['temperature']),
    output: formatOf(body['text']),
    // Responses has no such parameter.
    stop: undefined,
    thinking: readEffort(isJsonObject(body['reasoning']) ? body['reasoning']['effort'] : undefined),
  };
};
