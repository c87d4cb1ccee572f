import { isDeepStrictEqual } from 'node:util';
import { isObject, type JsonObject } from '../json-rpc/message.js';
import { jsonRpcFlaw } from '../json-rpc/parse-message.js';
import { FakeServer } from '../server/fake-server.js';

const toolsOf = (received: unknown): readonly unknown[] => {
  const tools = isObject(received) ? received['tools'] : received;
  if (Array.isArray(tools)) return tools;
  throw new TypeError('This matcher wants a list of tools or the result of tools/list.');
};

const contains = (tool: JsonObject, expected: JsonObject): boolean =>
  Object.entries(expected).every(([key, value]) => isDeepStrictEqual(tool[key], value));

/** What a matcher of vitest answers. */
export interface Verdict {
  readonly pass: boolean;
  readonly message: () => string;
  readonly actual?: unknown;
  readonly expected?: unknown;
}

/** `what` completes the sentence "expected … (not) to …". */
export const verdict = (pass: boolean, what: string, detail: Pick<Verdict, 'actual' | 'expected'> = {}): Verdict => ({
  pass,
  message: () => `expected the subject ${pass ? 'not ' : ''}to ${what}`,
  ...detail,
});

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

const flawOf = (received: unknown): string | undefined => {
  if (typeof received !== 'string') return jsonRpcFlaw(received);
  try {
    return jsonRpcFlaw(JSON.parse(received));
  } catch {
    return 'it is not JSON';
  }
};

/** One JSON-RPC 2.0 message, as an object or as text. */
export const toBeValidJsonRpc = (received: unknown): Verdict => {
  const flaw = flawOf(received);
  return verdict(flaw === undefined, `be a valid JSON-RPC message${flaw === undefined ? '' : `: ${flaw}`}`);
};

const asServer = (received: unknown): FakeServer => {
  if (received instanceof FakeServer) return received;
  throw new TypeError('This matcher wants a FakeServer.');
};

const equal = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((method, index) => method === other[index]);

/** The whole sequence of JSON-RPC methods, notifications included. */
export const toHaveReceivedMethods = (received: unknown, expected: readonly string[]): Verdict => {
  const actual = asServer(received).log.methods();
  return verdict(equal(actual, expected), `have received exactly these methods; it received ${actual.join(', ')}`, {
    actual,
    expected,
  });
};

/** At least one message of this method, or exactly `times`. */
export const toHaveReceived = (received: unknown, method: string, times?: number): Verdict => {
  const actual = asServer(received).counters.received(method);
  const pass = times === undefined ? actual > 0 : actual === times;
  const wanted = times === undefined ? '' : ` ${times} times`;
  return verdict(pass, `have received ${method}${wanted}; it did ${actual} times`);
};

/** The handler of this tool was started, at all or exactly `times`. */
export const toHaveExecuted = (received: unknown, tool: string, times?: number): Verdict => {
  const actual = asServer(received).counters.executed(tool);
  const pass = times === undefined ? actual > 0 : actual === times;
  const wanted = times === undefined ? '' : ` ${times} times`;
  return verdict(pass, `have executed ${tool}${wanted}; it did ${actual} times`);
};

export const toHaveNoOpenConnections = (received: unknown): Verdict => {
  const { openConnections, openStreams } = asServer(received).counters;
  const pass = openConnections === 0 && openStreams === 0;
  return verdict(pass, `have nothing open; ${openConnections} connections and ${openStreams} streams are`);
};
