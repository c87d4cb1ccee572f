import { isDeepStrictEqual } from 'node:util';
import { isObject, type JsonObject } from '../json-rpc/message.js';
import { verdict, type Verdict } from './verdict.js';

const toolsOf = (received: unknown): readonly unknown[] => {
  const tools = isObject(received) ? received['tools'] : received;
  if (Array.isArray(tools)) return tools;
  throw new TypeError('This matcher wants a list of tools or the result of tools/list.');
};

const contains = (tool: JsonObject, expected: JsonObject): boolean =>
  Object.entries(expected).every(([key, value]) => isDeepStrictEqual(tool[key], value));

/** A list of tools, or the result of tools/list, has one of this name, with these members. */
export const toHaveTool = (received: unknown, name: string, expected: JsonObject = {}): Verdict => {
  const tools = toolsOf(received).filter(isObject);
  const found = tools.find((tool) => tool['name'] === name);
  if (found === undefined) {
    return verdict(
      false,
      `have a tool ${name}; it has ${tools.map((tool) => String(tool['name'])).join(', ') || 'none'}`,
    );
  }
  return verdict(contains(found, expected), `have a tool ${name} with these members`, { actual: found, expected });
};

const textsOf = (received: unknown): readonly string[] => {
  const content = isObject(received) ? received['content'] : undefined;
  if (!Array.isArray(content)) throw new TypeError('This matcher wants the result of tools/call.');
  return content.filter(isObject).flatMap((block) => (typeof block['text'] === 'string' ? [block['text']] : []));
};

const matches = (texts: readonly string[], wanted: string | RegExp): boolean =>
  texts.some((text) => (typeof wanted === 'string' ? text === wanted : wanted.test(text)));

/** A result of tools/call with a text block that is this, or matches it. */
export const toHaveText = (received: unknown, wanted: string | RegExp): Verdict => {
  const texts = textsOf(received);
  return verdict(matches(texts, wanted), `have a text block ${String(wanted)}; it has ${JSON.stringify(texts)}`);
};

/** A result of tools/call that reports an error of the tool, with this text if given. */
export const toBeToolError = (received: unknown, wanted: string | RegExp = /(?:)/): Verdict => {
  const texts = textsOf(received);
  const isError = isObject(received) && received['isError'] === true;
  return verdict(
    isError && matches(texts, wanted),
    `be a tool error ${String(wanted)}; isError is ${String(isError)} with ${JSON.stringify(texts)}`,
  );
};
