import { ALL_TRANSPORTS, BOTH_ERAS, defineCheck } from '../../model/check.js';
import { broken, holds } from '../../model/finding.js';
import { describe } from '../../session/answer.js';
import { UNKNOWN_METHOD } from '../instrument/control-request.js';
import { jsonRpc, spec } from '../instrument/spec.js';
import { down, isDown } from '../instrument/server-down.js';

export const unknownMethod = defineCheck({
  id: 'RPC-09',
  title: 'an unknown method is rejected with -32601',
  family: 'json-rpc',
  eras: BOTH_ERAS,
  transports: ALL_TRANSPORTS,
  level: 'MUST',
  legacyLevel: 'SHOULD',
  tier: 'smoke',
  source: {
    legacy: jsonRpc('error_object', '-32601 Method not found: The method does not exist / is not available.'),
    modern: spec(
      '2026-07-28',
      'basic/transports/streamable-http#protocol-version-header',
      'If the server does not implement the requested RPC method, it MUST respond with 404 Not Found and a JSON-RPC error with code -32601 (Method not found).',
    ),
  },
  remedy: 'Answer a method that you do not have with error -32601; in the modern era over HTTP with status 404.',
  async run(probe) {
    const answer = await probe.session().request(UNKNOWN_METHOD);
    const { error, http, exchange } = answer;
    const wantsStatus = probe.era === 'modern' && http !== undefined;
    const expected = `error -32601${wantsStatus ? ', HTTP 404' : ''}`;
    if (error?.code !== -32_601) {
      if (await isDown(probe, answer)) return down(answer);
      return broken({ detail: `It came back with ${describe(answer)}.`, expected, exchange });
    }
    if (wantsStatus && http.status !== 404) {
      return broken({ detail: `The code is right and the status is ${http.status}.`, expected, exchange });
    }
    return holds();
  },
});
