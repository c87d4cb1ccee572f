import { messagesIn, type JsonObject } from '../../connection/json.js';
import { ALL_TRANSPORTS, BOTH_ERAS, defineCheck } from '../../model/check.js';
import { broken, holds, type Finding } from '../../model/finding.js';
import { endOfSequence } from '../../session/exchange.js';
import { errorOf, errorWords, type Reply } from '../../session/answer.js';
import { isResponse } from '../../session/envelope.js';
import type { Session } from '../../session/session.js';
import { modernHeaders, plainMethod, properRequest } from '../instrument/control-request.js';
import { jsonRpc } from '../instrument/spec.js';

const family = { family: 'json-rpc', eras: BOTH_ERAS, transports: ALL_TRANSPORTS } as const;

/** HTTP+SSE may refuse in the answer to the POST instead of on the stream. */
const responsesOf = ({ messages, http }: Reply): readonly JsonObject[] =>
  [...messages, ...(http === undefined ? [] : messagesIn(http.body))].filter(isResponse);

const codesOf = (reply: Reply): readonly unknown[] =>
  responsesOf(reply).flatMap((message) => errorOf(message)?.code ?? []);

/** What came of a message that should have been refused, in words. */
const outcomeOf = (reply: Reply): string => {
  const { http } = reply;
  const response = responsesOf(reply)[0];
  const status = http === undefined || http.status === 202 ? '' : `HTTP ${http.status} and `;
  if (response === undefined) return `${status}no JSON-RPC answer`;
  const error = errorOf(response);
  return error === undefined ? `${status}a result` : `${status}${errorWords(error)}`;
};

const refusedWith = async (
  session: Session,
  cases: readonly (readonly [string, string])[],
  codes: readonly number[],
): Promise<Finding> => {
  const method = plainMethod(session.era);
  for (const [what, text] of cases) {
    const reply = await session.send(text, { headers: modernHeaders(session, method) });
    if (codesOf(reply).some((code) => codes.some((wanted) => wanted === code))) continue;
    return broken({
      detail: `${what} came back with ${outcomeOf(reply)}.`,
      expected: `error ${codes.join(' or ')}`,
      exchange: reply.exchange,
    });
  }
  const after = await session.request(method);
  if (after.result !== undefined) return holds();
  return broken({
    detail: 'The next proper request failed.',
    expected: 'a result',
    exchange: endOfSequence(after.exchange),
  });
};

export const parseError = defineCheck({
  ...family,
  id: 'RPC-05',
  title: 'text that is not JSON is answered with -32700, and the connection keeps working',
  level: 'SHOULD',
  tier: 'standard',
  source: jsonRpc(
    'error_object',
    '-32700 Parse error: Invalid JSON was received by the server. An error occurred on the server while parsing the JSON text.',
  ),
  remedy: 'Answer text that cannot be parsed with error -32700 (over HTTP with status 400), and keep reading.',
  run: async (probe) =>
    await refusedWith(await probe.open(), [['Broken JSON', '{"jsonrpc":"2.0","id":7,"method":']], [-32_700]),
});

export const invalidRequest = defineCheck({
  ...family,
  id: 'RPC-06',
  title: 'JSON that is not a request is answered with -32600',
  level: 'SHOULD',
  tier: 'standard',
  source: jsonRpc('error_object', '-32600 Invalid Request: The JSON sent is not a valid Request object.'),
  remedy: 'Check jsonrpc and method before anything else, and answer with error -32600.',
  async run(probe) {
    const session = await probe.open();
    const request = (id: string): JsonObject => properRequest(session, id, plainMethod(probe.era));
    const cases = [
      ['A request with jsonrpc "1.0"', JSON.stringify({ ...request('old'), jsonrpc: '1.0' })],
      ['A request whose method is a number', JSON.stringify({ ...request('number'), method: 17 })],
    ] as const;
    return await refusedWith(session, cases, [-32_600]);
  },
});

export const paramsOfWrongType = defineCheck({
  ...family,
  id: 'RPC-08',
  title: 'params that are an array or a string are rejected with -32600 or -32602',
  level: 'SHOULD',
  tier: 'standard',
  source: jsonRpc('error_object', '-32602 Invalid params: Invalid method parameter(s).'),
  remedy: 'Accept only an object as params; answer anything else with error -32600 or -32602.',
  async run(probe) {
    const session = await probe.open();
    const request = (id: string): JsonObject => properRequest(session, id, plainMethod(probe.era));
    const cases = [
      ['An array as params', JSON.stringify({ ...request('array'), params: [1, 2] })],
      ['A string as params', JSON.stringify({ ...request('string'), params: 'text' })],
    ] as const;
    return await refusedWith(session, cases, [-32_600, -32_602]);
  },
});

export const extraMembers = defineCheck({
  ...family,
  id: 'RPC-15',
  title: 'an unknown member of a request is ignored',
  level: 'ADVICE',
  tier: 'full',
  source: jsonRpc('request_object', 'A rpc call is represented by sending a Request object to a Server.'),
  remedy: 'Read the members that you know and ignore the others; a later revision may add some.',
  async run(probe) {
    const session = await probe.open();
    const method = plainMethod(probe.era);
    const text = JSON.stringify({ ...properRequest(session, 'extra', method), 'x-plugboard': { more: true } });
    const reply = await session.send(text);
    if (reply.messages.some((message) => message['id'] === 'extra' && 'result' in message)) return holds();
    return broken({ detail: `It came back with ${outcomeOf(reply)}.`, expected: 'a result', exchange: reply.exchange });
  },
});
