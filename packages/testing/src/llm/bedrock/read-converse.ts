import type { JsonObject } from '../../json-rpc/message.js';
import type { LlmRequest, OfferedTool } from '../script/llm-request.js';
import type { Reading } from '../script/reading.js';
import { Refusal, refuse } from '../script/refusal.js';
import { countTokens } from '../script/reckon-usage.js';
import type { Arrival } from '../wire/arrival.js';
import { hasLoneSurrogate, isObject, numberIn, objectsIn, stringsIn, textIn } from '../wire/json-view.js';
import { type AwsCredentials, checkSignature } from './signature.js';

/** The members of a Converse request, as documented in November 2026. */
const MEMBERS = new Set(
  (
    'additionalModelRequestFields additionalModelResponseFieldPaths guardrailConfig inferenceConfig messages outputConfig ' +
    'performanceConfig promptVariables requestMetadata serviceTier system toolConfig'
  ).split(' '),
);

export const CONVERSE_PATH = /^\/model\/(?<model>[^/]+)\/converse(?<stream>-stream)?$/u;

export const readBody = ({ body }: Arrival): JsonObject => {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    if (isObject(value) && !hasLoneSurrogate(value)) return value;
  } catch {
    // refused below, like JSON that is no object
  }
  return refuse('The request is not valid JSON.', { type: 'SerializationException' });
};

/** A key of the Bedrock API, or the signature of somebody who is known. */
export const authorize = (arrival: Arrival, { keys }: Reading, credentials: AwsCredentials): void => {
  const bearer = /^Bearer (?<key>.+)$/u.exec(arrival.headers['authorization'] ?? '')?.groups?.['key'];
  if (bearer === undefined || !keys.has(bearer)) checkSignature(arrival, credentials);
};

const usesIn = (message: JsonObject | undefined, member: 'toolUse' | 'toolResult'): readonly string[] =>
  objectsIn(message?.['content']).flatMap((block) => {
    const use = block[member];
    return isObject(use) ? [textIn(use['toolUseId'])] : [];
  });

const checkMessage = (message: JsonObject, at: number, previous: JsonObject | undefined): void => {
  const { role } = message;
  if (role !== 'user' && role !== 'assistant') refuse(`messages.${at}.role must be user or assistant.`);
  if (role === previous?.['role']) refuse('A conversation must alternate between user and assistant roles.');
  const blocks = objectsIn(message['content']);
  if (blocks.length === 0) refuse(`The content field in the Message object at messages.${at} is empty.`);
  const blank = blocks.findIndex((block) => typeof block['text'] === 'string' && block['text'].trim() === '');
  if (blank !== -1) refuse(`The text field in the ContentBlock object at messages.${at}.content.${blank} is blank.`);
  const [uses, results] = [usesIn(previous, 'toolUse'), usesIn(message, 'toolResult')];
  if (results.some((id) => !uses.includes(id))) {
    refuse(
      `The number of toolResult blocks at messages.${at}.content exceeds the number of toolUse blocks of previous turn.`,
    );
  }
  if (uses.some((id) => !results.includes(id))) {
    refuse(`Expected toolResult blocks at messages.${at}.content for the toolUse ids: ${uses.join()}`);
  }
};

const readTools = (body: JsonObject, { judge }: Reading): readonly OfferedTool[] => {
  const config = body['toolConfig'];
  if (config === undefined) return [];
  const specs = isObject(config) ? objectsIn(config['tools']) : [];
  if (specs.length === 0) refuse('toolConfig.tools must have at least 1 member.');
  const tools = specs.flatMap((spec, at): OfferedTool[] => {
    const tool = spec['toolSpec'];
    if (!isObject(tool)) return [];
    const schema = isObject(tool['inputSchema']) ? tool['inputSchema']['json'] : undefined;
    if (!isObject(schema)) return refuse(`toolConfig.tools.${at}.toolSpec.inputSchema.json must be an object.`);
    const { description } = tool;
    if (description === '') refuse(`toolConfig.tools.${at}.toolSpec.description must have a length of at least 1.`);
    return [
      {
        name: textIn(tool['name']),
        ...(typeof description === 'string' ? { description } : {}),
        inputSchema: schema,
        strict: tool['strict'] === true,
      },
    ];
  });
  const [objection] = judge('bedrock', tools);
  if (objection !== undefined) refuse(`toolConfig.tools: ${objection.tool}: ${objection.message}`);
  return tools;
};

const isJsonObjectText = (text: string): boolean => {
  try {
    return isObject(JSON.parse(text));
  } catch {
    return false;
  }
};

/** The schema of structured output is JSON as text. */
const checkFormat = ({ outputConfig }: JsonObject): void => {
  const format = isObject(outputConfig) ? outputConfig['textFormat'] : undefined;
  if (format === undefined) return;
  const structure = isObject(format) && format['type'] === 'json_schema' ? format['structure'] : undefined;
  const { schema } = isObject(structure) && isObject(structure['jsonSchema']) ? structure['jsonSchema'] : {};
  if (typeof schema !== 'string' || !isJsonObjectText(schema)) {
    refuse('outputConfig.textFormat.structure.jsonSchema.schema must be a JSON Schema.');
  }
};

const resultTexts = (message: JsonObject | undefined): readonly string[] =>
  objectsIn(message?.['content']).flatMap(({ toolResult }) =>
    isObject(toolResult)
      ? [
          objectsIn(toolResult['content'])
            .map((part) => (typeof part['text'] === 'string' ? part['text'] : JSON.stringify(part['json'] ?? '')))
            .join(''),
        ]
      : [],
  );

/** The model that a path names, if the account has it. */
export const readModel = (encoded: string, { models }: Reading) => {
  const model = decodeURIComponent(encoded);
  const facts = Object.hasOwn(models, model) ? models[model] : undefined;
  if (facts === undefined) throw new Refusal({ status: 400, message: 'The provided model identifier is invalid.' });
  return { model, facts };
};

/** What models of Anthropic refuse beyond Converse itself. */
const checkPrefill = (model: string, last: JsonObject | undefined): void => {
  if (!model.includes('anthropic.') || last?.['role'] !== 'assistant') return;
  const text = objectsIn(last['content']).findLast((block) => block['cachePoint'] === undefined)?.['text'];
  if (typeof text === 'string' && text !== text.trimEnd()) {
    refuse('messages: final assistant content cannot end with trailing whitespace');
  }
};

/** What Converse and CountTokens check alike. */
export const readConversation = (body: JsonObject, model: string, reading: Reading) => {
  const messages = objectsIn(body['messages']);
  if (messages[0]?.['role'] !== 'user') refuse('A conversation must start with a user message.');
  for (const [at, message] of messages.entries()) checkMessage(message, at, messages[at - 1]);
  checkPrefill(model, messages.at(-1));
  const tools = readTools(body, reading);
  if (tools.length === 0 && messages.some((message) => usesIn(message, 'toolUse').length > 0)) {
    refuse('The toolConfig field must be defined when using toolUse and toolResult content blocks.');
  }
  const inputTokens = stringsIn(body).reduce((sum, text) => sum + countTokens(text), 0);
  return { messages, tools, inputTokens };
};

/** Reads a request of Converse as strictly as Bedrock does, its signature included. */
export const readConverse =
  (credentials: AwsCredentials) =>
  (arrival: Arrival, reading: Reading): LlmRequest => {
    authorize(arrival, reading, credentials);
    const { model: encoded = '', stream } = CONVERSE_PATH.exec(arrival.path)?.groups ?? {};
    const { model, facts } = readModel(encoded, reading);
    const body = readBody(arrival);
    const stranger = Object.keys(body).find((name) => !MEMBERS.has(name));
    if (stranger !== undefined) refuse(`Unknown member: ${stranger}`);
    checkFormat(body);
    const { messages, tools, inputTokens } = readConversation(body, model, reading);
    if (facts.contextTokens !== undefined && inputTokens > facts.contextTokens) {
      refuse('Input is too long for requested model.');
    }
    const inference = isObject(body['inferenceConfig']) ? body['inferenceConfig'] : {};
    return {
      api: 'bedrock',
      model,
      stream: stream !== undefined,
      tools,
      maxTokens: numberIn(inference['maxTokens']),
      inputTokens,
      toolResults: resultTexts(messages.at(-1)),
      headers: arrival.headers,
      body,
    };
  };
