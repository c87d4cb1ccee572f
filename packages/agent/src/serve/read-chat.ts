import { isJsonObject } from '@plugboard/base';
import { type AssistantPart, type Message, textOf } from '../conversation/message.js';
import type { OutputFormat } from '../conversation/model-request.js';
import {
  invalid,
  numberIn,
  readContent,
  readEffort,
  readFormat,
  readHubOptions,
  readStop,
  refuseTools,
} from './read-parts.js';
import type { ServedInput } from './served-input.js';

type Members = Readonly<Record<string, unknown>>;

const callsIn = (calls: unknown): readonly AssistantPart[] =>
  (Array.isArray(calls) ? calls : []).flatMap((call): AssistantPart[] => {
    const { id, function: called } = isJsonObject(call) ? call : {};
    const { name, arguments: args } = isJsonObject(called) ? called : {};
    if (typeof id !== 'string' || typeof name !== 'string') return [];
    return [{ type: 'tool-call', id, name, arguments: typeof args === 'string' ? args : '{}' }];
  });

const textIn = (content: unknown, param: string): string => textOf(readContent(content, param));

const messageOf = (message: Members, at: number): readonly Message[] => {
  const param = `messages[${at}].content`;
  const { role, content } = message;
  switch (role) {
    case 'system':
    case 'developer':
      return [];
    case 'user':
      return [{ role: 'user', content: readContent(content, param) }];
    case 'assistant':
      return [
        {
          role: 'assistant',
          content: [{ type: 'text', text: textIn(content, param) }, ...callsIn(message['tool_calls'])],
        },
      ];
    case 'tool': {
      const callId = String(message['tool_call_id']);
      return [
        { role: 'tool', results: [{ callId, name: '', text: textIn(content, param), media: [], isError: false }] },
      ];
    }
    default:
      throw invalid(`"${String(role)}" is not a role.`, `messages[${at}].role`);
  }
};

const formatIn = (format: unknown): OutputFormat | undefined => {
  if (!isJsonObject(format) || format['type'] === 'text') return undefined;
  if (format['type'] === 'json_schema') return readFormat(format['json_schema']);
  throw invalid('Only the formats "text" and "json_schema" are accepted.', 'response_format');
};

/** Reads a request to Chat Completions. Parameters that do not concern an agent are ignored. */
export const readChat = (body: Members): ServedInput => {
  const { model, messages, stream_options: options } = body;
  if (typeof model !== 'string' || model === '') throw invalid('"model" must name an agent.', 'model');
  if (!Array.isArray(messages) || messages.length === 0) throw invalid('"messages" must not be empty.', 'messages');
  if (typeof body['n'] === 'number' && body['n'] > 1) throw invalid('An agent gives one answer: "n" must be 1.', 'n');
  refuseTools(body['tools']);
  const read = messages.map((message): Members => (isJsonObject(message) ? message : {}));
  const instructions = read.flatMap(({ role, content }, at) =>
    role === 'system' || role === 'developer' ? textIn(content, `messages[${at}].content`) : [],
  );
  return {
    agent: model,
    system: instructions.length === 0 ? undefined : instructions.join('\n\n'),
    messages: read.flatMap(messageOf),
    stream: body['stream'] === true,
    streamUsage: isJsonObject(options) && options['include_usage'] === true,
    ...readHubOptions(body),
    maxTokens: numberIn(body['max_completion_tokens']) ?? numberIn(body['max_tokens']),
    temperature: numberIn(body['temperature']),
    output: formatIn(body['response_format']),
    stop: readStop(body['stop']),
    thinking: readEffort(body['reasoning_effort']),
  };
};
