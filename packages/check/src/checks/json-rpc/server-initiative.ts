import type { JsonObject } from '../../connection/json.js';
import { defineCheck } from '../../model/check.js';
import { broken, holds } from '../../model/finding.js';
import { isServerRequest } from '../../session/envelope.js';
import { responsive, tryCall } from '../instrument/exercise.js';
import { NOTHING_CALLABLE } from '../instrument/judge.js';
import { spec } from '../instrument/spec.js';

const CAPABILITIES: JsonObject = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };

export const noServerRequests = defineCheck({
  id: 'RPC-19',
  title: 'the server never initiates requests',
  family: 'json-rpc',
  eras: ['modern'],
  transports: ['stdio', 'streamable-http'],
  level: 'MUST',
  tier: 'standard',
  source: spec(
    '2026-07-28',
    'basic/patterns#overview',
    'Servers MUST NOT initiate JSON-RPC requests, and clients do not send JSON-RPC responses.',
  ),
  remedy: 'Ask the client with a result of the type input_required, never with a request.',
  async run(probe) {
    const session = await probe.open({ capabilities: CAPABILITIES });
    const tools = await responsive(probe);
    if (tools.length === 0) return NOTHING_CALLABLE;
    for (const tool of tools) {
      const { answer } = await tryCall(probe, session, { tool, args: tool.arguments[0] ?? {} });
      const asked = [...(answer?.before ?? []), ...session.incoming].find(isServerRequest);
      if (asked === undefined) continue;
      return broken({
        detail: `During a call of ${tool.name} the server sent the request ${String(asked['method'])}.`,
        expected: 'no message with both a method and an id',
        exchange: answer?.exchange,
      });
    }
    return holds(`${tools.length} tools were called.`);
  },
});
