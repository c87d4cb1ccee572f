import type { JsonObject } from '../../json-rpc/message.js';
import type { LlmRequest } from '../script/llm-request.js';
import type { Reading } from '../script/reading.js';
import { refuse } from '../script/refusal.js';
import type { Arrival } from '../wire/arrival.js';
import { isObject, numberIn, objectsIn, stringsIn, textIn } from '../wire/json-view.js';
import {
  authorize,
  checkToolChoice,
  judgeFormat,
  judgeTools,
  onlyKnown,
  readBody,
  readFunction,
  readModel,
} from './read-openai.js';

/** The parameters of Chat Completions, as documented in November 2026. */
const PARAMETERS = new Set(
  (
    'model messages audio frequency_penalty function_call functions logit_bias logprobs max_completion_tokens max_tokens ' +
    'metadata modalities n parallel_tool_calls prediction presence_penalty prompt_cache_key prompt_cache_retention ' +
    'reasoning_effort response_format safety_identifier seed service_tier stop store stream stream_options temperature ' +
    'tool_choice tools top_logprobs top_p user verbosity web_search_options'
  ).split(' '),
);

const ROLES = new Set(['system', 'developer', 'user', 'assistant', 'tool']);

/** Pictures and sounds come from users only. */
const PARTS: Readonly<Record<string, ReadonlySet<string>>> = {
  user: new Set(['text', 'image_url', 'input_audio', 'file']),
  assistant: new Set(['text', 'refusal']),
};
const TEXT_ONLY: ReadonlySet<string> = new Set(['text']);

const checkParts = ({ role, content }: JsonObject, at: number): void => {
  const allowed = PARTS[textIn(role)] ?? TEXT_ONLY;
  const wrong = objectsIn(content).find(({ type }) => !allowed.has(textIn(type)));
  if (wrong === undefined) return;
  const words = [...allowed].join(', ');
  refuse(
    `Invalid 'messages[${at}]': a message of the role '${textIn(role)}' has '${textIn(wrong['type'])}', but only ${words} is allowed.`,
    { param: `messages[${at}].content`, code: 'invalid_value' },
  );
};

const checkContent = (message: JsonObject, at: number): void => {
  const { role, content } = message;
  if (!ROLES.has(textIn(role))) {
    refuse(`Invalid value: '${String(role)}' is no role.`, { param: `messages[${at}].role` });
  }
  checkParts(message, at);
  const calls = objectsIn(message['tool_calls']);
  if (role === 'assistant' && calls.length > 0) return;
  if (content === undefined || content === null || (Array.isArray(content) && content.length === 0)) {
    refuse(`Invalid value for 'content': expected a string, got null.`, { param: `messages[${at}].content` });
  }
};

/** Every call of a tool is answered right behind the message that made it, and nothing else is. */
const checkToolMessages = (messages: readonly JsonObject[]): void => {
  let open = new Set<string>();
  for (const [at, message] of messages.entries()) {
    const param = `messages[${at}].role`;
    if (message['role'] === 'tool') {
      if (!open.delete(textIn(message['tool_call_id']))) {
        refuse("Messages with role 'tool' must be a response to a preceding message with 'tool_calls'.", { param });
      }
    } else {
      if (open.size > 0) {
        refuse(
          `An assistant message with 'tool_calls' must be followed by a tool message for each: ${[...open].join()}`,
          {
            param,
          },
        );
      }
      open = new Set(objectsIn(message['tool_calls']).map(({ id }) => textIn(id)));
    }
  }
  if (open.size > 0) {
    refuse(`An assistant message with 'tool_calls' must be followed by a tool message for each: ${[...open].join()}`, {
      param: 'messages',
    });
  }
};

const readMessages = (body: JsonObject): readonly JsonObject[] => {
  const messages = objectsIn(body['messages']);
  if (messages.length === 0) {
    refuse("Invalid 'messages': expected an array with at least one message.", {
      code: 'empty_array',
      param: 'messages',
    });
  }
  for (const [at, message] of messages.entries()) checkContent(message, at);
  checkToolMessages(messages);
  return messages;
};

const readTools = (body: JsonObject, reading: Reading) => {
  if (body['tools'] === undefined) {
    if (body['parallel_tool_calls'] !== undefined) {
      refuse("'parallel_tool_calls' is only allowed when 'tools' are specified.", { param: 'parallel_tool_calls' });
    }
    return [];
  }
  const specs = objectsIn(body['tools']);
  if (specs.length === 0) refuse("Invalid 'tools': empty array.", { code: 'empty_array', param: 'tools' });
  const tools = specs.map((spec, at) => readFunction(spec['function'], `tools[${at}].function`));
  judgeTools('openai-chat', tools, reading);
  return tools;
};

const checkFormat = (body: JsonObject, messages: readonly JsonObject[], reading: Reading): void => {
  const format = body['response_format'];
  if (!isObject(format)) return;
  if (format['type'] === 'json_schema') judgeFormat('openai-chat', format['json_schema'], reading);
  if (format['type'] === 'json_object' && !stringsIn(messages).some((text) => /json/iu.test(text))) {
    refuse("'messages' must contain the word 'json' to use a response_format of type 'json_object'.", {
      param: 'messages',
    });
  }
};

const resultsOf = (messages: readonly JsonObject[]): readonly string[] => {
  const last = messages.findLastIndex(({ role }) => role === 'assistant');
  return messages
    .slice(last + 1)
    .filter(({ role }) => role === 'tool')
    .map(({ content }) =>
      stringsIn(content)
        .filter((text) => text !== 'text')
        .join(''),
    );
};

/** Reads a request of Chat Completions as strictly as OpenAI does. */
export const readChat = (arrival: Arrival, reading: Reading): LlmRequest => {
  authorize(arrival, reading);
  const body = readBody(arrival);
  onlyKnown(body, PARAMETERS);
  const messages = readMessages(body);
  const { model, inputTokens } = readModel(body, messages, reading);
  if (reading.models[model]?.reasoning === true && body['max_tokens'] !== undefined) {
    refuse("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens'.", {
      code: 'unsupported_parameter',
      param: 'max_tokens',
    });
  }
  const tools = readTools(body, reading);
  const choice = body['tool_choice'];
  const named = isObject(choice) && isObject(choice['function']) ? textIn(choice['function']['name']) : undefined;
  checkToolChoice(choice, tools, named);
  checkFormat(body, messages, reading);
  const stream = body['stream'] === true;
  if (body['stream_options'] !== undefined && !stream) {
    refuse("'stream_options' is only allowed when 'stream' is enabled.", { param: 'stream_options' });
  }
  const maxTokens = numberIn(body['max_completion_tokens']) ?? numberIn(body['max_tokens']);
  return {
    api: 'openai-chat',
    model,
    stream,
    tools,
    maxTokens,
    inputTokens,
    toolResults: resultsOf(messages),
    headers: arrival.headers,
    body,
  };
};
