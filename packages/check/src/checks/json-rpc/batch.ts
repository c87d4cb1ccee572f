import { ALL_TRANSPORTS, BOTH_ERAS, defineCheck } from '../../model/check.js';
import { broken, holds, notApplicable, notVerified } from '../../model/finding.js';
import { describe, type Reply } from '../../session/answer.js';
import { isResponse } from '../../session/envelope.js';
import type { Session } from '../../session/session.js';
import { modernHeaders, plainMethod, properRequest } from '../instrument/control-request.js';
import { jsonRpc, spec } from '../instrument/spec.js';

const BATCHING = '2025-03-26';
const IDS = ['batch-1', 'batch-2'] as const;

const sendBatch = async (session: Session): Promise<Reply & { readonly served: number }> => {
  const method = plainMethod(session.era);
  const batch = IDS.map((id) => properRequest(session, id, method));
  const reply = await session.send(JSON.stringify(batch), { headers: modernHeaders(session, method) });
  const served = IDS.filter((id) => reply.messages.some((message) => message['id'] === id && 'result' in message));
  return { ...reply, served: served.length };
};

export const batches = defineCheck({
  id: 'RPC-10',
  title: 'batches are answered where 2025-03-26 was agreed on',
  family: 'json-rpc',
  eras: ['legacy'],
  transports: ALL_TRANSPORTS,
  level: 'MUST',
  tier: 'standard',
  source: spec(
    BATCHING,
    'basic/index#batching',
    'MCP implementations MAY support sending JSON-RPC batches, but MUST support receiving JSON-RPC batches.',
  ),
  remedy: 'Answer each request of a batch while 2025-03-26 is in use, or answer initialize with another revision.',
  async run(probe) {
    const session = await probe.open({ revision: BATCHING, mayFail: true });
    if (session.opening.result === undefined || session.revision !== BATCHING) {
      return notApplicable(`The server does not agree on ${BATCHING}.`);
    }
    const reply = await sendBatch(session);
    if (reply.served === IDS.length) return holds();
    // The control: the same request alone is answered.
    const alone = await session.request('ping');
    if (alone.result === undefined) {
      return notVerified(`A ping alone came back with ${describe(alone)}.`, 'a server that answers ping');
    }
    return broken({
      detail: `The server agreed on ${BATCHING} and answered ${reply.served} of the ${IDS.length} requests of a batch.`,
      expected: 'a response to each request of the batch',
      exchange: reply.exchange,
    });
  },
});

export const noBatches = defineCheck({
  id: 'RPC-21',
  title: 'a batch is rejected with an error if the revision has no batches',
  family: 'json-rpc',
  eras: BOTH_ERAS,
  transports: ALL_TRANSPORTS,
  level: 'SHOULD',
  tier: 'standard',
  source: jsonRpc('error_object', '-32600 Invalid Request: The JSON sent is not a valid Request object.'),
  remedy:
    'Answer an array with error -32600 (over HTTP with status 400). Do not drop it: the client would wait forever.',
  async run(probe) {
    const session = await probe.open();
    if (session.revision === BATCHING) return notApplicable(`${BATCHING} has batches.`);
    const { messages, http, served, exchange } = await sendBatch(session);
    const expected = 'error -32600, because this revision has no batches';
    if (served > 0) {
      return broken({ detail: `A batch was served, which ${session.revision} does not have.`, expected, exchange });
    }
    const refused = messages.some((message) => isResponse(message) && 'error' in message);
    if (refused || (http !== undefined && http.status >= 400)) return holds();
    return broken({
      detail: `A batch of ${IDS.length} requests was dropped without an answer.`,
      expected,
      exchange,
    });
  },
});
