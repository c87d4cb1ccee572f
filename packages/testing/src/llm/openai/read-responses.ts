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

/** The parameters of Responses, as documented in November 2026. */
const PARAMETERS = new Set(
  (
    'model input background conversation include instructions max_output_tokens max_tool_calls metadata ' +
    'parallel_tool_calls previous_response_id prompt prompt_cache_key prompt_cache_retention reasoning ' +
    'safety_identifier service_tier store stream stream_options temperature text tool_choice tools top_logprobs top_p ' +
    'truncation user'
  ).split(' '),
);

const LEAST_OUTPUT_TOKENS = 16;

const readItems = (body: JsonObject): readonly JsonObject[] => {
  const { input } = body;
  if (typeof input === 'string' && input !== '') return [{ type: 'message', role: 'user', content: input }];
  const items = objectsIn(input);
  if (items.length === 0) refuse("Missing required parameter: 'input'.", { param: 'input' });
  return items;
};

/** Calls and outputs come in pairs; with an earlier response, its calls count as made. */
const checkPairs = (items: readonly JsonObject[], continues: boolean): void => {
  const idsOf = (type: string): readonly string[] =>
    items.filter((item) => item['type'] === type).map((item) => textIn(item['call_id']));
  const [calls, outputs] = [idsOf('function_call'), idsOf('function_call_output')];
  const stray = outputs.find((id) => !calls.includes(id));
  if (stray !== undefined && !continues) {
    refuse(`No tool call found for function call output with call_id ${stray}.`, { param: 'input' });
  }
  const open = calls.find((id) => !outputs.includes(id));
  if (open !== undefined) refuse(`No tool output found for function call ${open}.`, { param: 'input' });
};

const OUTPUT_PARTS: ReadonlySet<string> = new Set(['input_text', 'input_image', 'input_file']);

const checkOutputs = (items: readonly JsonObject[]): void => {
  for (const [at, { type, output }] of items.entries()) {
    if (type !== 'function_call_output') continue;
    const wrong = objectsIn(output).find((part) => !OUTPUT_PARTS.has(textIn(part['type'])));
    if (wrong === undefined) continue;
    refuse(`Invalid value: '${textIn(wrong['type'])}' is no part of the output of a call.`, {
      code: 'invalid_value',
      param: `input[${at}].output`,
    });
  }
};

const readTools = (body: JsonObject, reading: Reading) => {
  const specs = objectsIn(body['tools']);
  const wrong = specs.findIndex((spec) => spec['type'] === 'function' && spec['function'] !== undefined);
  if (wrong !== -1) refuse(`Missing required parameter: 'tools[${wrong}].name'.`, { param: `tools[${wrong}].name` });
  const tools = specs
    .filter((spec) => spec['type'] === 'function')
    // This API is strict unless it is told otherwise.
    .map((spec, at) => ({
      ...readFunction(spec, `tools[${at}]`),
      strict: spec['strict'] !== false && spec['strict'] !== null,
    }));
  judgeTools('openai-responses', tools, reading);
  return tools;
};

const resultsOf = (items: readonly JsonObject[]): readonly string[] => {
  const last = items.findLastIndex(({ type }) => type === 'function_call');
  return items
    .slice(last + 1)
    .filter(({ type }) => type === 'function_call_output')
    .map(({ output }) =>
      typeof output === 'string'
        ? output
        : objectsIn(output)
            .map(({ text }) => textIn(text))
            .join(''),
    );
};

/** Reads a request of the Responses API as strictly as OpenAI does. */
export const readResponses = (arrival: Arrival, reading: Reading): LlmRequest => {
  authorize(arrival, reading);
  const body = readBody(arrival);
  onlyKnown(body, PARAMETERS);
  const items = readItems(body);
  const { model, inputTokens } = readModel(body, [items, body['instructions']], reading);
  checkPairs(items, body['previous_response_id'] !== undefined && body['previous_response_id'] !== null);
  checkOutputs(items);
  const tools = readTools(body, reading);
  const choice = body['tool_choice'];
  const named = isObject(choice) && choice['type'] === 'function' ? textIn(choice['name']) : undefined;
  checkToolChoice(choice, tools, named);
  const format = isObject(body['text']) ? body['text']['format'] : undefined;
  if (isObject(format) && format['type'] === 'json_schema') judgeFormat('openai-responses', format, reading);
  if (isObject(format) && format['type'] === 'json_object' && !stringsIn(items).some((text) => /json/iu.test(text))) {
    refuse("'input' must contain the word 'json' to use the format 'json_object'.", { param: 'input' });
  }
  const maxTokens = numberIn(body['max_output_tokens']);
  if (maxTokens !== undefined && maxTokens < LEAST_OUTPUT_TOKENS) {
    refuse(`'max_output_tokens' must be at least ${LEAST_OUTPUT_TOKENS}.`, {
      code: 'integer_below_min_value',
      param: 'max_output_tokens',
    });
  }
  return {
    api: 'openai-responses',
    model,
    stream: body['stream'] === true,
    tools,
    maxTokens,
    inputTokens,
    toolResults: resultsOf(items),
    headers: arrival.headers,
    body,
  };
};
