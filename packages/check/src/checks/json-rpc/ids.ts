import { at, show } from '../../connection/json.js';
import { ALL_TRANSPORTS, BOTH_ERAS, defineCheck } from '../../model/check.js';
import { broken, doubtful, holds, notVerified } from '../../model/finding.js';
import { isResponse } from '../../session/envelope.js';
import { describe } from '../../session/answer.js';
import { modernHeaders, plainMethod, properRequest } from '../instrument/control-request.js';
import { spec } from '../instrument/spec.js';

const family = { family: 'json-rpc', eras: BOTH_ERAS, transports: ALL_TRANSPORTS } as const;

const IDS = ['plugboard-a', 0, -7, Number.MAX_SAFE_INTEGER, 'ключ ✓ 𝄞', '4711', 4712, 'with "quotes" and \\'] as const;

export const sameId = defineCheck({
  ...family,
  id: 'RPC-02',
  title: 'a response has the id of its request, with the same type',
  level: 'MUST',
  tier: 'smoke',
  source: {
    legacy: spec(
      '2025-11-25',
      'basic/index#result-responses',
      'Result responses MUST include the same ID as the request they correspond to.',
    ),
    modern: spec(
      '2026-07-28',
      'basic/index#result-responses',
      'Result responses MUST include the same ID as the request they correspond to.',
    ),
  },
  remedy: 'Return the id exactly as it was received: a number as the same number, a string as the same string.',
  async run(probe) {
    const session = await probe.open();
    // The control: the same request with an ordinary id. What fails with every id is not about ids.
    const control = await session.request(plainMethod(probe.era));
    if (control.response === undefined) {
      return notVerified(`A plain request led to ${describe(control)}.`, 'a server that answers plain requests');
    }
    for (const id of IDS) {
      const answer = await session.request(plainMethod(probe.era), undefined, { id });
      const { response, exchange } = answer;
      const expected = `id ${JSON.stringify(id)}`;
      if (response === undefined) {
        return broken({ detail: `The id ${show(id)} led to ${describe(answer)}.`, expected, exchange });
      }
      if (response['id'] !== id) {
        return broken({ detail: `The response has the id ${JSON.stringify(response['id'])}.`, expected, exchange });
      }
    }
    return holds(`${IDS.length} ids came back unchanged.`);
  },
});

const STRANGE_IDS = [null, 1.5, {}] as const;

export const strangeId = defineCheck({
  ...family,
  id: 'RPC-07',
  title: 'a request whose id is null, a fraction or an object is not served',
  level: 'SHOULD',
  tier: 'standard',
  source: {
    legacy: spec('2025-11-25', 'basic/index#requests', 'Requests MUST include a string or integer ID.'),
    modern: spec('2026-07-28', 'basic/index#requests', 'Requests MUST include a string or integer ID.'),
  },
  remedy: 'Answer a request whose id is neither a string nor an integer with error -32600.',
  async run(probe) {
    const session = await probe.open();
    const method = plainMethod(probe.era);
    const silent: string[] = [];
    for (const id of STRANGE_IDS) {
      const text = JSON.stringify({ ...properRequest(session, 0, method), id });
      const { messages, http, exchange } = await session.send(text, { headers: modernHeaders(session, method) });
      const responses = messages.filter(isResponse);
      const expected = 'error -32600';
      if (responses.some((message) => 'result' in message)) {
        return broken({ detail: `A request with the id ${JSON.stringify(id)} was served.`, expected, exchange });
      }
      if (responses.some((message) => at(message, 'error', 'code') === -32_700)) {
        return broken({
          detail: `The id ${JSON.stringify(id)} was answered with -32700, which is for text that is not JSON.`,
          expected,
          exchange,
        });
      }
      const refused = responses.some((message) => 'error' in message) || (http !== undefined && http.status >= 400);
      if (!refused) {
        silent.push(JSON.stringify(id));
      } else if (http !== undefined && http.status >= 500) {
        return doubtful({ detail: `The id ${JSON.stringify(id)} led to HTTP ${http.status}.`, expected, exchange });
      }
    }
    if (silent.length === 0) return holds();
    return doubtful({
      detail: `Requests with the id ${silent.join(', ')} were dropped without an answer.`,
      expected: 'error -32600',
    });
  },
});
