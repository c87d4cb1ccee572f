import { at } from '../../connection/json.js';
import { ALL_TRANSPORTS, BOTH_ERAS, defineCheck } from '../../model/check.js';
import { observedExchange } from '../../session/observations.js';
import { eraOf } from '../../session/revision.js';
import { judged, type Flaw } from '../instrument/judge.js';
import { plainMethod, UNKNOWN_METHOD } from '../instrument/control-request.js';
import { spec } from '../instrument/spec.js';

const SENTENCE = 'All messages between MCP clients and servers MUST follow the JSON-RPC 2.0 specification.';

export const everyMessageFits = defineCheck({
  id: 'RPC-01',
  title: 'every message of the run is JSON-RPC 2.0 and matches the published schema of its revision',
  family: 'json-rpc',
  eras: BOTH_ERAS,
  transports: ALL_TRANSPORTS,
  level: 'MUST',
  tier: 'smoke',
  phase: 'last',
  source: {
    legacy: spec('2025-11-25', 'basic/index#messages', SENTENCE),
    modern: spec('2026-07-28', 'basic/index#messages', SENTENCE),
  },
  remedy: 'Send "jsonrpc": "2.0" with every message, and results that match the schema of the revision.',
  async run(probe) {
    const session = probe.session();
    await session.request(plainMethod(probe.era));
    await session.request(UNKNOWN_METHOD);
    const mine = probe.observations.all.filter(({ revision }) => eraOf(revision) === probe.era);
    const flaws = new Map<string, Flaw>();
    for (const observation of mine) {
      const { message, revision, answers } = observation;
      const flaw = probe.oracle(revision)?.flaw(observation);
      if (flaw === undefined) continue;
      const what = answers === undefined ? String(at(message, 'method')) : `the answer to ${answers}`;
      const exchange = observedExchange(observation);
      flaws.set(`${what} ${flaw}`, { detail: `In ${what} (${revision}): ${flaw}.`, exchange, observation });
    }
    return judged([...flaws.values()], 'messages that fit the schema', `${mine.length} messages fit.`);
  },
});
