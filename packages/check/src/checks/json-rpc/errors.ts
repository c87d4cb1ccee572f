import { isObject, show } from '../../connection/json.js';
import { ALL_TRANSPORTS, BOTH_ERAS, defineCheck } from '../../model/check.js';
import { broken, doubtful, holds } from '../../model/finding.js';
import { observedExchange, type Observation } from '../../session/observations.js';
import type { Probe } from '../../probe/probe.js';
import { eraOf } from '../../session/revision.js';
import { UNKNOWN_METHOD } from '../instrument/control-request.js';
import { spec } from '../instrument/spec.js';

/** Requests that any server must refuse, so that there are errors to look at. */
const provokeErrors = async (probe: Probe): Promise<readonly Observation[]> => {
  const session = probe.session();
  const { capabilities } = session;
  await session.request(UNKNOWN_METHOD);
  if (capabilities['tools'] !== undefined) {
    await session.request('tools/call', { name: 'plugboard-no-such-tool', arguments: {} });
  }
  if (capabilities['resources'] !== undefined) {
    const [uri] = await probe.unserved(['plugboard://no-such-resource']);
    if (uri !== undefined) await session.request('resources/read', { uri });
  }
  if (capabilities['prompts'] !== undefined) await session.request('prompts/get', { name: 'plugboard-no-such-prompt' });
  return probe.observations.all.filter(
    ({ message, revision }) => eraOf(revision) === probe.era && 'error' in message && !('result' in message),
  );
};

export const errorShape = defineCheck({
  id: 'RPC-11',
  title: 'every error has an integer code and a text message',
  family: 'json-rpc',
  eras: BOTH_ERAS,
  transports: ALL_TRANSPORTS,
  level: 'MUST',
  tier: 'smoke',
  phase: 'last',
  source: {
    legacy: spec(
      '2025-11-25',
      'basic/index#error-responses',
      'Error responses MUST include an error field with a code and message. Error codes MUST be integers.',
    ),
    modern: spec(
      '2026-07-28',
      'basic/index#error-responses',
      'Error responses MUST include an error field with a code and message. Error codes MUST be integers.',
    ),
  },
  remedy: 'Send errors as { "code": integer, "message": "what went wrong" }.',
  async run(probe) {
    const errors = await provokeErrors(probe);
    for (const observation of errors) {
      const error = observation.message['error'];
      const exchange = observedExchange(observation);
      const expected = 'code: integer, message: non-empty string';
      const bad = !isObject(error) || !Number.isInteger(error['code']) || typeof error['message'] !== 'string';
      if (bad) return broken({ detail: `An error is ${show(error)}.`, expected, exchange, observed: [observation] });
      if (error['message'] === '') return doubtful({ detail: 'An error has an empty message.', expected, exchange });
    }
    return holds(`${errors.length} errors were seen.`);
  },
});

const DEFINED = new Set<unknown>([-32_020, -32_021, -32_022]);
const WITHDRAWN = new Set<unknown>([-32_002, -32_042]);

export const reservedCodes = defineCheck({
  id: 'RPC-12',
  title: 'no error uses a withdrawn code, or a reserved one that is not defined',
  family: 'json-rpc',
  eras: ['modern'],
  transports: ['stdio', 'streamable-http'],
  level: 'MUST',
  tier: 'standard',
  phase: 'last',
  source: spec(
    '2026-07-28',
    'basic/index#error-codes',
    'Implementations MUST NOT emit any code from this sub-range that is not defined by this specification and MUST use defined codes only with their specified meanings.',
  ),
  remedy: 'Use -32602 for things that are not found, and codes outside -32768 to -32000 for your own errors.',
  async run(probe) {
    for (const observation of await provokeErrors(probe)) {
      const error = observation.message['error'];
      const code = isObject(error) ? error['code'] : undefined;
      const reserved = typeof code === 'number' && code <= -32_020 && code >= -32_099 && !DEFINED.has(code);
      if (!reserved && !WITHDRAWN.has(code)) continue;
      return broken({
        detail: `${observation.answers ?? 'A request'} was refused with ${show(code)}.`,
        expected: 'no code of -32020 to -32099 but -32020, -32021, -32022, and neither -32002 nor -32042',
        exchange: observedExchange(observation),
        observed: [observation],
      });
    }
    return holds();
  },
});
