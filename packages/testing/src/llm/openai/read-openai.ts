import type { JsonObject } from '../../json-rpc/message.js';
import type { LlmApi, OfferedTool } from '../script/llm-request.js';
import type { Reading } from '../script/reading.js';
import { Refusal, refuse } from '../script/refusal.js';
import { countTokens } from '../script/reckon-usage.js';
import type { Arrival } from '../wire/arrival.js';
import { hasLoneSurrogate, isObject, stringsIn, textIn } from '../wire/json-view.js';

/** Requires a key that the double knows. */
export const authorize = ({ headers }: Pick<Arrival, 'headers'>, { keys }: Reading): void => {
  const given = /^Bearer (?<key>.+)$/u.exec(headers['authorization'] ?? '')?.groups?.['key'];
  if (given === undefined) throw new Refusal({ status: 401, message: 'The request has no API key.' });
  if (!keys.has(given)) {
    throw new Refusal({ status: 401, message: 'The API key is incorrect.', code: 'invalid_api_key' });
  }
};

export const readBody = ({ body }: Pick<Arrival, 'body'>): JsonObject => {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    if (isObject(value) && !hasLoneSurrogate(value)) return value;
  } catch {
    // refused below, like JSON that is no object
  }
  return refuse('The body of the request is not a valid JSON object.');
};

export const onlyKnown = (body: JsonObject, known: ReadonlySet<string>): void => {
  const stranger = Object.keys(body).find((name) => !known.has(name));
  if (stranger !== undefined) {
    refuse(`Unknown parameter: '${stranger}'.`, { code: 'unknown_parameter', param: stranger });
  }
};

/** The model and the size of the input: both are limits of the model. */
export const readModel = (
  body: JsonObject,
  input: unknown,
  { models }: Reading,
): { model: string; inputTokens: number } => {
  const model = textIn(body['model']);
  if (model === '') refuse('The parameter model is required.', { param: 'model' });
  const facts = Object.hasOwn(models, model) ? models[model] : undefined;
  if (facts === undefined) {
    throw new Refusal({ status: 404, message: `The model '${model}' does not exist.`, code: 'model_not_found' });
  }
  const inputTokens = stringsIn(input).reduce((sum, text) => sum + countTokens(text), 0);
  if (facts.contextTokens !== undefined && inputTokens > facts.contextTokens) {
    refuse(
      `This model's maximum context length is ${facts.contextTokens} tokens, but the request has ${inputTokens} tokens.`,
      { code: 'context_length_exceeded', param: 'messages' },
    );
  }
  if (facts.reasoning === true && body['temperature'] !== undefined && body['temperature'] !== 1) {
    refuse("Unsupported value: 'temperature' must be 1 with this model.", {
      code: 'unsupported_value',
      param: 'temperature',
    });
  }
  return { model, inputTokens };
};

/** A tool that is a function, from where its API puts the parts. */
export const readFunction = (spec: unknown, where: string): OfferedTool => {
  if (!isObject(spec)) return refuse(`Missing required parameter: '${where}'.`, { param: where });
  const parameters = spec['parameters'] ?? { type: 'object', properties: {} };
  if (!isObject(parameters)) return refuse('Parameters must be an object.', { param: `${where}.parameters` });
  const description = spec['description'];
  return {
    name: textIn(spec['name']),
    ...(typeof description === 'string' ? { description } : {}),
    inputSchema: parameters,
    strict: spec['strict'] === true,
  };
};

const hasArrayWithoutItems = (schema: unknown): boolean => {
  if (Array.isArray(schema)) return schema.some(hasArrayWithoutItems);
  if (!isObject(schema)) return false;
  if (schema['type'] === 'array' && schema['items'] === undefined && schema['prefixItems'] === undefined) return true;
  return Object.values(schema).some(hasArrayWithoutItems);
};

/** OpenAI refuses the whole request for one tool that it does not like. */
export const judgeTools = (api: LlmApi, tools: readonly OfferedTool[], { judge }: Reading): void => {
  const broken = tools.find(({ inputSchema }) => hasArrayWithoutItems(inputSchema));
  const [objection] = judge(api, tools);
  const found = objection ?? (broken && { tool: broken.name, message: 'An array in its schema has no items.' });
  if (found !== undefined) {
    refuse(`Invalid schema for function '${found.tool}': ${found.message}`, {
      code: 'invalid_function_parameters',
      param: 'tools',
    });
  }
};

/** A choice needs tools, and the named one must be among them. */
export const checkToolChoice = (choice: unknown, tools: readonly OfferedTool[], named: string | undefined): void => {
  if (choice === undefined) return;
  if (tools.length === 0 && choice !== 'none') refuse("'tool_choice' needs 'tools'.", { param: 'tool_choice' });
  if (named !== undefined && !tools.some(({ name }) => name === named)) {
    refuse(`Tool choice '${named}' not found in 'tools'.`, { param: 'tool_choice' });
  }
};

/** The schema of structured output follows the rules of strict tools. */
export const judgeFormat = (api: LlmApi, format: unknown, reading: Reading): void => {
  if (!isObject(format)) refuse('The format of the response is no object.', { param: 'response_format' });
  const { name, schema, strict } = format as JsonObject;
  if (typeof name !== 'string' || !/^[a-zA-Z0-9_-]{1,64}$/u.test(name)) {
    refuse('The format of the response needs a name.', { param: 'response_format' });
  }
  if (strict === true && isObject(schema)) {
    judgeTools(api, [{ name: String(name), inputSchema: schema, strict: true }], reading);
  }
};
