import type { JsonObject } from '../../json-rpc/message.js';
import type { LlmRequest, OfferedTool } from '../script/llm-request.js';
import type { Reading } from '../script/reading.js';
import { countTokens } from '../script/reckon-usage.js';
import { Refusal, refuse } from '../script/refusal.js';
import type { Arrival } from '../wire/arrival.js';
import { hasLoneSurrogate, isObject, numberIn, objectsIn, stringsIn, textIn } from '../wire/json-view.js';

/** The members of a GenerateContentRequest, as documented in November 2026. */
const MEMBERS = new Set(
  'contents tools toolConfig safetySettings systemInstruction generationConfig cachedContent serviceTier store'.split(
    ' ',
  ),
);

const PART = new Set(
  (
    'text inlineData functionCall functionResponse fileData executableCode codeExecutionResult toolCall toolResponse thought ' +
    'thoughtSignature partMetadata videoMetadata mediaResolution'
  ).split(' '),
);

const DECLARATION = new Set(
  'name description behavior parameters parametersJsonSchema response responseJsonSchema'.split(' '),
);
const CALL = new Set(['id', 'name', 'args', 'partialArgs', 'willContinue']);
const RESPONSE = new Set(['id', 'name', 'response', 'parts', 'willContinue', 'scheduling']);
const MODES = new Set(['MODE_UNSPECIFIED', 'AUTO', 'ANY', 'NONE', 'VALIDATED']);

export const GENERATE_PATH =
  /^\/v1(?:beta)?\/models\/(?<model>[^/:]+):(?<method>generateContent|streamGenerateContent)$/u;

const onlyKnown = (value: JsonObject, known: ReadonlySet<string>, at: string): void => {
  const stranger = Object.keys(value).find((name) => !known.has(name));
  if (stranger === undefined) return;
  refuse(
    `Invalid JSON payload received. Unknown name "${stranger}"${at === '' ? '' : ` at '${at}'`}: Cannot find field.`,
  );
};

/** The key is in a header, or in the query. */
const authorize = ({ headers, query }: Arrival, { keys }: Reading): void => {
  const key = headers['x-goog-api-key'] ?? new URLSearchParams(query).get('key');
  if (key === null) {
    throw new Refusal({
      status: 403,
      message: "Method doesn't allow unregistered callers (callers without established identity).",
    });
  }
  if (!keys.has(key)) refuse('API key not valid. Please pass a valid API key.', { code: 'API_KEY_INVALID' });
};

const readBody = ({ body }: Arrival): JsonObject => {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    if (isObject(value) && !hasLoneSurrogate(value)) return value;
  } catch {
    // refused below, like JSON that is no object
  }
  return refuse('Invalid JSON payload received.');
};

const membersIn = (
  content: JsonObject | undefined,
  member: 'functionCall' | 'functionResponse',
): readonly JsonObject[] =>
  objectsIn(content?.['parts']).flatMap((part) => {
    const found = part[member];
    return isObject(found) ? [found] : [];
  });

const checkPart = (part: JsonObject, at: string): void => {
  onlyKnown(part, PART, at);
  const { functionCall, functionResponse } = part;
  if (isObject(functionCall)) {
    onlyKnown(functionCall, CALL, `${at}.function_call`);
    if (!isObject(functionCall['args'] ?? {})) refuse(`Invalid value at '${at}.function_call.args' (Struct)`);
  }
  if (isObject(functionResponse)) {
    onlyKnown(functionResponse, RESPONSE, `${at}.function_response`);
    if (!isObject(functionResponse['response'])) refuse(`Invalid value at '${at}.function_response.response' (Struct)`);
    if (textIn(functionResponse['name']) === '') {
      refuse('GenerateContentRequest.contents: function_response.name: Name cannot be empty.');
    }
  }
  const data = ['text', 'inlineData', 'functionCall', 'functionResponse', 'fileData', 'executableCode'];
  if (!data.some((name) => part[name] !== undefined)) {
    refuse(`${at}.data: required oneof field 'data' must have one initialized field`);
  }
};

/** Each turn of calls is answered in the turn after it, one response to a call. */
const checkTurn = (content: JsonObject, previous: JsonObject | undefined): void => {
  const [calls, responses] = [membersIn(previous, 'functionCall'), membersIn(content, 'functionResponse')];
  if (responses.length > 0 && calls.length === 0) {
    refuse('Please ensure that function response turn comes immediately after a function call turn.');
  }
  if (calls.length !== responses.length) {
    refuse(
      'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
    );
  }
  const open = calls.map(({ name }) => name);
  for (const { name } of responses) {
    if (!open.includes(name)) refuse('The names of the function responses are not those of the function calls.');
    open.splice(open.indexOf(name), 1);
  }
};

/** The first call of a step has the signature of the thought that led to it, and comes back with it. */
const checkSignatures = (contents: readonly JsonObject[]): void => {
  for (const [at, content] of contents.entries()) {
    const first = objectsIn(content['parts']).find((part) => isObject(part['functionCall']));
    if (content['role'] === 'model' && first !== undefined && textIn(first['thoughtSignature']) === '') {
      refuse(`Function call in content ${at} is missing a thought_signature in functionCall parts.`);
    }
  }
};

const checkContents = (contents: readonly JsonObject[]): void => {
  if (contents.length === 0) refuse('* GenerateContentRequest.contents: contents is not specified');
  for (const [at, content] of contents.entries()) {
    onlyKnown(content, new Set(['role', 'parts']), `contents[${at}]`);
    const { role } = content;
    if (role !== undefined && role !== 'user' && role !== 'model' && role !== 'function') {
      refuse('Please use a valid role: user, model.');
    }
    const parts = objectsIn(content['parts']);
    if (parts.length === 0) refuse(`* GenerateContentRequest.contents[${at}].parts: contents.parts must not be empty.`);
    for (const [index, part] of parts.entries()) checkPart(part, `contents[${at}].parts[${index}]`);
    checkTurn(content, contents[at - 1]);
  }
  if (membersIn(contents.at(-1), 'functionCall').length > 0) {
    refuse('Please ensure that single turn requests end with a user role or the role field is empty.');
  }
  checkSignatures(contents);
};

/** The API writes types in capitals and reads both. */
const inSmallLetters = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(inSmallLetters);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      key === 'type' && typeof member === 'string' ? member.toLowerCase() : inSmallLetters(member),
    ]),
  );
};

const readDeclaration = (declaration: JsonObject, at: string): OfferedTool => {
  onlyKnown(declaration, DECLARATION, at);
  const { name, description, parameters, parametersJsonSchema } = declaration;
  if (parameters !== undefined && parametersJsonSchema !== undefined) {
    refuse(`${at}: only one of parameters and parameters_json_schema may be set.`);
  }
  const schema = inSmallLetters(parameters) ?? parametersJsonSchema ?? { type: 'object' };
  if (!isObject(schema)) return refuse(`Invalid value at '${at}.parameters' (Schema)`);
  return {
    name: textIn(name),
    ...(typeof description === 'string' ? { description } : {}),
    inputSchema: schema,
    strict: false,
  };
};

const readTools = (body: JsonObject, { judge }: Reading): readonly OfferedTool[] => {
  const tools = objectsIn(body['tools']).flatMap((tool, at) =>
    objectsIn(tool['functionDeclarations']).map((declaration, index) =>
      readDeclaration(declaration, `tools[${at}].function_declarations[${index}]`),
    ),
  );
  const [objection] = judge('gemini', tools);
  if (objection !== undefined) {
    refuse(`* GenerateContentRequest.tools[0].function_declarations: ${objection.tool}: ${objection.message}`);
  }
  return tools;
};

const checkToolConfig = (body: JsonObject, tools: readonly OfferedTool[]): void => {
  const config = isObject(body['toolConfig']) ? body['toolConfig']['functionCallingConfig'] : undefined;
  if (!isObject(config)) return;
  const { mode, allowedFunctionNames } = config;
  if (mode !== undefined && !MODES.has(textIn(mode))) {
    refuse("Invalid value at 'tool_config.function_calling_config.mode'");
  }
  if (allowedFunctionNames === undefined) return;
  if (mode !== 'ANY' && mode !== 'VALIDATED') {
    refuse('Allowed function names should be set only when function calling mode is ANY.');
  }
  const unknown = stringsIn(allowedFunctionNames).find((name) => !tools.some((tool) => tool.name === name));
  if (unknown !== undefined) refuse(`allowed_function_names: ${unknown} is not declared.`);
};

const textOf = ({ response }: JsonObject): string => {
  const { output, error } = isObject(response) ? response : {};
  const said = output ?? error;
  return typeof said === 'string' ? said : JSON.stringify(response);
};

/** Reads a request of generateContent as strictly as the Gemini API does. */
export const readGenerate = (arrival: Arrival, reading: Reading): LlmRequest => {
  authorize(arrival, reading);
  const { model = '', method } = GENERATE_PATH.exec(arrival.path)?.groups ?? {};
  const facts = Object.hasOwn(reading.models, model) ? reading.models[model] : undefined;
  if (facts === undefined) {
    throw new Refusal({
      status: 404,
      message: `models/${model} is not found for API version v1beta, or is not supported for ${String(method)}.`,
    });
  }
  const body = readBody(arrival);
  onlyKnown(body, MEMBERS, '');
  const contents = objectsIn(body['contents']);
  checkContents(contents);
  const tools = readTools(body, reading);
  checkToolConfig(body, tools);
  const inputTokens = stringsIn([body['contents'], body['systemInstruction']]).reduce(
    (sum, text) => sum + countTokens(text),
    0,
  );
  if (facts.contextTokens !== undefined && inputTokens > facts.contextTokens) {
    refuse(
      `The input token count (${inputTokens}) exceeds the maximum number of tokens allowed (${facts.contextTokens}).`,
    );
  }
  const generation = isObject(body['generationConfig']) ? body['generationConfig'] : {};
  return {
    api: 'gemini',
    model,
    stream: method === 'streamGenerateContent',
    tools,
    maxTokens: numberIn(generation['maxOutputTokens']),
    inputTokens,
    toolResults: membersIn(contents.at(-1), 'functionResponse').map(textOf),
    headers: arrival.headers,
    body,
  };
};
