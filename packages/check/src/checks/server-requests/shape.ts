import { at, isObject, listAt, show, type JsonObject } from '../../connection/json.js';
import type { Question } from '../instrument/interview.js';

const PRIMITIVES = new Set(['string', 'number', 'integer', 'boolean']);

const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every((one) => typeof one === 'string');

/** A list of texts to choose several from is the one array that a form may have. */
const isChoice = (schema: JsonObject): boolean =>
  schema['type'] === 'array' && (isTexts(at(schema, 'items', 'enum')) || Array.isArray(at(schema, 'items', 'anyOf')));

const fieldFlaw = (name: string, schema: unknown): string | undefined => {
  if (!isObject(schema)) return `the field "${name}" has no schema`;
  if (!PRIMITIVES.has(String(schema['type'])) && !isChoice(schema) && !Array.isArray(schema['oneOf'])) {
    return `the field "${name}" is of type ${show(schema['type'])}`;
  }
  return undefined;
};

const formFlaw = (params: JsonObject): string | undefined => {
  if (typeof params['message'] !== 'string') return 'it has no message';
  if (params['mode'] === 'url') return typeof params['url'] === 'string' ? undefined : 'it has no url';
  const schema = params['requestedSchema'];
  if (!isObject(schema) || schema['type'] !== 'object') return `requestedSchema is ${show(schema)}`;
  const fields = isObject(schema['properties']) ? schema['properties'] : {};
  return Object.entries(fields)
    .map(([name, field]) => fieldFlaw(name, field))
    .find((flaw) => flaw !== undefined);
};

const messageFlaw = (message: unknown): string | undefined => {
  const role = at(message, 'role');
  if (role !== 'user' && role !== 'assistant') return `a message has the role ${show(role)}`;
  const content = at(message, 'content');
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content];
  return blocks.every((block) => isObject(block) && typeof block['type'] === 'string')
    ? undefined
    : 'a message has no content';
};

const samplingFlaw = (params: JsonObject): string | undefined => {
  const { maxTokens } = params;
  if (typeof maxTokens !== 'number' || maxTokens <= 0) return `maxTokens is ${show(maxTokens)}`;
  if (!Array.isArray(params['messages'])) return 'it has no messages';
  return listAt(params, 'messages')
    .map(messageFlaw)
    .find((flaw) => flaw !== undefined);
};

/** What is wrong with the shape of a request of the server. */
export const questionFlaw = ({ method, params }: Question): string | undefined => {
  switch (method) {
    case 'elicitation/create':
      return formFlaw(params);
    case 'sampling/createMessage':
      return samplingFlaw(params);
    case 'roots/list':
      return undefined;
    default:
      return `a client knows no ${method}`;
  }
};

const fits = (schema: JsonObject, value: unknown): boolean => {
  switch (schema['type']) {
    case 'string':
      return typeof value === 'string' && (!Array.isArray(schema['enum']) || schema['enum'].includes(value));
    case 'integer':
      return Number.isInteger(value);
    case 'number':
      return typeof value === 'number';
    case 'boolean':
      return typeof value === 'boolean';
    default:
      return true;
  }
};

/** What is wrong with the defaults and the choices of a form. */
export const choiceFlaws = ({ params }: Question): readonly string[] => {
  const fields = at(params, 'requestedSchema', 'properties');
  return Object.entries(isObject(fields) ? fields : {}).flatMap(([name, schema]) => {
    if (!isObject(schema)) return [];
    const { default: preset, enum: values, enumNames } = schema;
    return [
      ...(preset === undefined || fits(schema, preset) ? [] : [`The default of "${name}" is ${show(preset)}.`]),
      ...(values === undefined || isTexts(values) ? [] : [`The choices of "${name}" are ${show(values)}.`]),
      ...(enumNames === undefined ||
      (isTexts(enumNames) && listAt(schema, 'enumNames').length === listAt(schema, 'enum').length)
        ? []
        : [`"${name}" does not have exactly one name for each choice.`]),
    ];
  });
};
