import { at, type JsonObject } from '../../connection/json.js';
import { ALL_TRANSPORTS, BOTH_ERAS, defineCheck } from '../../model/check.js';
import { broken, holds, notVerified } from '../../model/finding.js';
import { describe, type Answer } from '../../session/answer.js';
import { isResponse } from '../../session/envelope.js';
import type { Session } from '../../session/session.js';
import { plainMethod, properRequest, UNKNOWN_METHOD } from '../instrument/control-request.js';
import { jsonRpc, spec } from '../instrument/spec.js';
import { isTrouble } from '../instrument/server-down.js';

const family = { family: 'json-rpc', eras: BOTH_ERAS, transports: ALL_TRANSPORTS } as const;

export const oneResponse = defineCheck({
  ...family,
  id: 'RPC-03',
  title: 'a request gets exactly one response, with either a result or an error',
  level: 'MUST',
  tier: 'smoke',
  source: jsonRpc(
    'response_object',
    'Either the result member or error member MUST be included, but both members MUST NOT be included.',
  ),
  remedy: 'Answer each request once, with either result or error.',
  async run(probe) {
    const session = await probe.open();
    // The control: what is not answered at all (LIF-27) is not answered too often.
    const control = await session.request(plainMethod(probe.era));
    if (control.response === undefined) {
      return notVerified(`A plain request led to ${describe(control)}.`, 'a server that answers plain requests');
    }
    for (const method of [plainMethod(probe.era), UNKNOWN_METHOD]) {
      const id = `once-${method}`;
      const { messages, exchange } = await session.send(JSON.stringify(properRequest(session, id, method)));
      const isMine = (message: JsonObject): boolean => isResponse(message) && message['id'] === id;
      const mine = messages.filter(isMine);
      // An answer may take longer than the silence after which no second one is expected.
      const late = mine.length === 0 ? await session.waitFor(isMine) : undefined;
      if (late !== undefined) mine.push(late);
      const expected = 'one response with either result or error';
      if (mine.length !== 1) {
        return broken({ detail: `${method} was answered ${mine.length} times.`, expected, exchange });
      }
      if (mine.some((message) => 'result' in message === 'error' in message)) {
        return broken({ detail: `The response to ${method} has both members or neither.`, expected, exchange });
      }
    }
    return holds();
  },
});

const NOTICES: readonly JsonObject[] = [
  { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'never-sent', reason: 'a test' } },
  { jsonrpc: '2.0', method: 'notifications/plugboard/unknown' },
  { jsonrpc: '2.0', method: 'notifications/plugboard/unknown', params: { anything: [1, 2, 3] } },
];

export const noticesStayUnanswered = defineCheck({
  ...family,
  id: 'RPC-04',
  title: 'a notification gets no response, known or unknown',
  level: 'MUST',
  tier: 'smoke',
  source: {
    legacy: spec('2025-11-25', 'basic/index#notifications', 'The receiver MUST NOT send a response.'),
    modern: spec('2026-07-28', 'basic/index#notifications', 'The receiver MUST NOT send a response.'),
  },
  remedy: 'Send nothing back for a message without an id, not even an error.',
  async run(probe) {
    const session = await probe.open();
    for (const notice of NOTICES) {
      const reply = await session.send(JSON.stringify(notice));
      const refused = reply.http !== undefined && reply.http.status >= 400;
      if (refused || !reply.messages.some(isResponse)) continue;
      return broken({
        detail: `${String(notice['method'])} was answered.`,
        expected: 'no JSON-RPC response',
        exchange: reply.exchange,
      });
    }
    return holds();
  },
});

interface Kind {
  readonly method: string;
  readonly fits: (answer: Answer) => boolean;
}

const kindsFor = (session: Session): readonly Kind[] => [
  session.era === 'legacy'
    ? { method: 'ping', fits: ({ result }) => result !== undefined && !('tools' in result) }
    : { method: 'server/discover', fits: ({ result }) => Array.isArray(at(result, 'supportedVersions')) },
  { method: UNKNOWN_METHOD, fits: ({ error }) => error !== undefined },
  ...(session.capabilities['tools'] === undefined
    ? []
    : [{ method: 'tools/list', fits: ({ result }: Answer) => Array.isArray(at(result, 'tools')) }]),
];

const CONCURRENT = 50;

export const concurrentRequests = defineCheck({
  ...family,
  id: 'RPC-14',
  title: 'fifty concurrent requests each get their own answer',
  level: 'MUST',
  tier: 'standard',
  source: jsonRpc('response_object', 'It MUST be the same as the value of the id member in the Request Object.'),
  remedy: 'Store the id of a request with its work; never store the current request in shared state.',
  async run(probe) {
    const session = await probe.open();
    const kinds: Kind[] = [];
    // What fails also when it is asked alone says nothing about requests at the same time.
    for (const kind of kindsFor(session)) if (kind.fits(await session.request(kind.method))) kinds.push(kind);
    if (kinds.length === 0) return notVerified('No plain request is answered.', 'a server that answers ping or lists');
    const asked = Array.from({ length: CONCURRENT }, (_, index) => ({
      id: `at-once-${index}`,
      kind: kinds[index % kinds.length],
    }));
    const answers = await Promise.all(
      asked.map(async ({ id, kind }) => ({
        id,
        kind,
        answer: await session.request(kind?.method ?? '', undefined, { id }),
      })),
    );
    const limited = answers.find(({ answer }) => answer.http?.status === 429);
    if (limited !== undefined) {
      return notVerified('The server limits the rate of requests.', 'a server without a limit, or a larger one');
    }
    // An error under its own id is the answer to this very request, whatever the server has run into.
    const failed = answers.find(
      ({ id, kind, answer }) => isTrouble(answer) && answer.response?.['id'] === id && kind?.fits(answer) !== true,
    );
    if (failed !== undefined) {
      const detail = `At the same time ${failed.kind?.method ?? ''} came back with ${describe(failed.answer)}.`;
      return notVerified(detail, `a server that answers ${CONCURRENT} requests at the same time`);
    }
    const wrong = answers.find(({ id, kind, answer }) => answer.response?.['id'] !== id || kind?.fits(answer) !== true);
    if (wrong === undefined) return holds();
    return broken({
      detail: `${wrong.kind?.method ?? ''} with the id ${wrong.id} came back with ${describe(wrong.answer)} under the id ${JSON.stringify(wrong.answer.response?.['id'])}.`,
      expected: 'the answer to this very request',
      exchange: wrong.answer.exchange,
    });
  },
});
