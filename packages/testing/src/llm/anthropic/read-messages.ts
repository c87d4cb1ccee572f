import type { JsonObject } from '../../json-rpc/message.js';
import type { LlmRequest, OfferedTool } from '../script/llm-request.js';
import type { Reading } from '../script/reading.js';
import { Refusal, refuse } from '../script/refusal.js';
import { countTokens } from '../script/reckon-usage.js';
import type { Arrival } from '../wire/arrival.js';
import { hasLoneSurrogate, isObject, numberIn, objectsIn, stringsIn, textIn } from '../wire/json-view.js';
import { checkConversation, lastResults } from './check-conversation.js';

const PARAMETERS =
  'model messages cache_control container inference_geo metadata output_config service_tier stop_sequences stream system temperature ' +
  'thinking tool_choice tools top_k top_p';

/** The parameters of Messages, as documented in November 2026. */
const FOR_MESSAGES = new Set(`${PARAMETERS} max_tokens`.split(' '));
const FOR_COUNTING = new Set(
  'model messages cache_control output_config output_format system thinking tool_choice tools'.split(' '),
);

/** Parameters that need a beta flag. */
const BETA: Readonly<Record<string, string>> = {
  context_management: 'context-management-2025-06-27',
  mcp_servers: 'mcp-client-2025-11-20',
};

const LEAST_THINKING = 1024;

export const authorize = ({ headers }: Pick<Arrival, 'headers'>, { keys }: Reading): void => {
  const bearer = /^Bearer (?<key>.+)$/u.exec(headers['authorization'] ?? '')?.groups?.['key'];
  const given = headers['x-api-key'] ?? bearer;
  if (given === undefined) throw new Refusal({ status: 401, message: 'x-api-key header is required' });
  if (!keys.has(given)) throw new Refusal({ status: 401, message: 'invalid x-api-key' });
  if (headers['anthropic-version'] === undefined) refuse('anthropic-version: header is required');
};

export const readBody = ({ body }: Pick<Arrival, 'body'>): JsonObject => {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    if (isObject(value) && !hasLoneSurrogate(value)) return value;
  } catch {
    // refused below, like JSON that is no object
  }
  return refuse('The request body is not valid JSON.');
};

const onlyKnown = (body: JsonObject, known: ReadonlySet<string>, betas: string): void => {
  const isKnown = (name: string): boolean => {
    const flag = Object.hasOwn(BETA, name) ? BETA[name] : undefined;
    return (
      known.has(name) ||
      (flag !== undefined &&
        betas
          .split(',')
          .map((one) => one.trim())
          .includes(flag))
    );
  };
  const stranger = Object.keys(body).find((name) => !isKnown(name));
  if (stranger !== undefined) refuse(`${stranger}: Extra inputs are not permitted`);
};

const ROOT_UNIONS = ['oneOf', 'allOf', 'anyOf'];

const readTools = (body: JsonObject, { judge }: Reading): readonly OfferedTool[] => {
  const tools = objectsIn(body['tools'])
    .filter(({ type }) => type === undefined || type === 'custom')
    .map((spec, at): OfferedTool => {
      const { input_schema: schema, description } = spec;
      if (!isObject(schema)) return refuse(`tools.${at}.custom.input_schema: Field required`);
      const union = ROOT_UNIONS.find((keyword) => schema[keyword] !== undefined);
      if (union !== undefined) {
        refuse(
          `tools.${at}.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level`,
        );
      }
      return {
        name: textIn(spec['name']),
        ...(typeof description === 'string' ? { description } : {}),
        inputSchema: schema,
        strict: spec['strict'] === true,
      };
    });
  const [objection] = judge('anthropic', tools);
  if (objection !== undefined) refuse(`tools.${objection.tool}: ${objection.message}`);
  return tools;
};

const checkThinking = (body: JsonObject, messages: readonly JsonObject[]): void => {
  const { thinking, temperature, tool_choice: choice } = body;
  if (!isObject(thinking) || thinking['type'] === 'disabled') return;
  const budget = numberIn(thinking['budget_tokens']);
  if (thinking['type'] === 'enabled') {
    if (budget === undefined || budget < LEAST_THINKING) {
      refuse(`thinking.enabled.budget_tokens: Input should be greater than or equal to ${LEAST_THINKING}`);
    }
    const most = numberIn(body['max_tokens']);
    if (most !== undefined && budget !== undefined && most <= budget) {
      refuse('`max_tokens` must be greater than `thinking.budget_tokens`');
    }
  }
  if (temperature !== undefined && temperature !== 1) {
    refuse('`temperature` may only be set to 1 when thinking is enabled');
  }
  if (isObject(choice) && (choice['type'] === 'any' || choice['type'] === 'tool')) {
    refuse('Thinking may not be enabled when tool_choice forces tool use.');
  }
  if (messages.at(-1)?.['role'] === 'assistant') refuse('messages: prefill is not supported when thinking is enabled');
};

const readModel = (body: JsonObject, { models }: Reading): { model: string; inputTokens: number } => {
  const model = textIn(body['model']);
  if (model === '') refuse('model: Field required');
  const facts = Object.hasOwn(models, model) ? models[model] : undefined;
  if (facts === undefined) throw new Refusal({ status: 404, message: `model: ${model}` });
  const { messages, system, tools } = body;
  const inputTokens = stringsIn([messages, system, tools]).reduce((sum, text) => sum + countTokens(text), 0);
  if (facts.contextTokens !== undefined && inputTokens > facts.contextTokens) {
    refuse(`prompt is too long: ${inputTokens} tokens > ${facts.contextTokens} maximum`);
  }
  return { model, inputTokens };
};

const checkChoice = (body: JsonObject, tools: readonly OfferedTool[]): void => {
  const choice = body['tool_choice'];
  if (!isObject(choice)) return;
  if (objectsIn(body['tools']).length === 0) refuse('tool_choice may only be specified while providing tools');
  if (choice['type'] === 'tool' && !tools.some(({ name }) => name === choice['name'])) {
    refuse(`Tool '${String(choice['name'])}' not found in provided tools`);
  }
};

/** The schema of structured output follows the rules of strict tools. */
const checkFormat = (body: JsonObject, { judge }: Reading): void => {
  const { output_config: config, output_format: beta } = body;
  const format = beta ?? (isObject(config) ? config['format'] : undefined);
  if (format === undefined || format === null) return;
  if (!isObject(format) || format['type'] !== 'json_schema') {
    return refuse("output_config.format.type: Input should be 'json_schema'");
  }
  const { schema } = format;
  if (!isObject(schema)) return refuse('output_config.format.schema: Field required');
  const [objection] = judge('anthropic', [{ name: 'output', inputSchema: schema, strict: true }]);
  if (objection !== undefined) refuse(`output_config.format.schema: ${objection.message}`);
};

/** The part that answering and counting have in common. */
const readShared = (body: JsonObject, reading: Reading, headers: Arrival['headers'], known: ReadonlySet<string>) => {
  onlyKnown(body, known, headers['anthropic-beta'] ?? '');
  const facts = readModel(body, reading);
  const messages = objectsIn(body['messages']);
  checkConversation(messages);
  checkThinking(body, messages);
  checkFormat(body, reading);
  const tools = readTools(body, reading);
  checkChoice(body, tools);
  return { ...facts, messages, tools };
};

/** How many tokens a request would cost, read as strictly as the request itself. */
export const readCount = (arrival: Arrival, reading: Reading): number => {
  authorize(arrival, reading);
  return readShared(readBody(arrival), reading, arrival.headers, FOR_COUNTING).inputTokens;
};

/** Reads a request of Messages as strictly as Anthropic does. */
export const readMessages = (arrival: Arrival, reading: Reading): LlmRequest => {
  authorize(arrival, reading);
  const body = readBody(arrival);
  const { model, inputTokens, messages, tools } = readShared(body, reading, arrival.headers, FOR_MESSAGES);
  const maxTokens = numberIn(body['max_tokens']);
  if (maxTokens === undefined) refuse('max_tokens: Field required');
  if (maxTokens !== undefined && maxTokens < 1) refuse('max_tokens: Input should be greater than or equal to 1');
  const temperature = numberIn(body['temperature']);
  if (temperature !== undefined && (temperature < 0 || temperature > 1)) refuse('temperature: range: 0..1');
  return {
    api: 'anthropic',
    model,
    stream: body['stream'] === true,
    tools,
    maxTokens,
    inputTokens,
    toolResults: lastResults(messages),
    headers: arrival.headers,
    body,
  };
};
