import { ALL_TRANSPORTS, BOTH_ERAS, defineCheck } from '../../model/check.js';
import { broken, doubtful, holds, type Finding } from '../../model/finding.js';
import type { Reply } from '../../session/answer.js';
import { isResponse } from '../../session/envelope.js';
import type { Session } from '../../session/session.js';
import { modernHeaders, plainMethod, properRequest } from '../plain.js';
import { spec } from '../spec.js';

const BATCHING = '2025-03-26';
const IDS = ['batch-1', 'batch-2'] as const;

const sendBatch = async (session: Session): Promise<Reply & { readonly served: number }> => {
  const method = plainMethod(session.era);
  const batch = IDS.map((id) => properRequest(session, id, method));
  const reply = await session.send(JSON.stringify(batch), { headers: modernHeaders(session, method) });
  const served = IDS.filter((id) => reply.messages.some((message) => message['id'] === id && 'result' in message));
  return { ...reply, served: served.length };
};

const refusedPolitely = ({ messages, http, served, exchange }: Reply & { readonly served: number }): Finding => {
  const expected = 'an error, for this revision has no batches';
  if (served > 0)
    return doubtful({ detail: 'A batch was served, which this revision does not have.', expected, exchange });
  const refused = messages.some((message) => isResponse(message) && 'error' in message);
  if (refused || (http !== undefined && http.status >= 400)) return holds('A batch is refused.');
  return doubtful({ detail: 'A batch was dropped without an answer.', expected, exchange });
};

export const batches = defineCheck({
  id: 'RPC-10',
  title: 'batches are answered in 2025-03-26, and refused with an error in every other revision',
  family: 'json-rpc',
  eras: BOTH_ERAS,
  transports: ALL_TRANSPORTS,
  level: 'MUST',
  tier: 'standard',
  source: {
    legacy: spec(
      BATCHING,
      'basic/index#batching',
      'MCP implementations MAY support sending JSON-RPC batches, but MUST support receiving JSON-RPC batches.',
    ),
    modern: spec(
      '2026-07-28',
      'basic/transports/streamable-http#sending-messages',
      'The body of the HTTP POST MUST be a single JSON-RPC request or notification.',
    ),
  },
  remedy:
    'Answer each request of a batch when 2025-03-26 was agreed on, or do not agree on it; otherwise answer an array with error -32600.',
  async run(probe) {
    const newest = await probe.open();
    const finding = newest.revision === BATCHING ? holds() : refusedPolitely(await sendBatch(newest));
    if (probe.era === 'modern') return finding;
    const old = await probe.open({ revision: BATCHING });
    if (old.opening.result === undefined || old.revision !== BATCHING) return finding;
    const reply = await sendBatch(old);
    if (reply.served === IDS.length) return finding;
    return broken({
      detail: `The server agreed on ${BATCHING} and answered ${reply.served} of the ${IDS.length} requests of a batch.`,
      expected: 'a response to each request of the batch',
      exchange: reply.exchange,
    });
  },
});
