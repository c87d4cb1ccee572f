import { at, listAt } from '../../connection/json.js';
import { enveloped, requestMessage } from '../../session/envelope.js';
import { mirroredHeaders } from '../../session/http-headers.js';
import type { Conversation } from '../call/conversation.js';
import { LatencyHistogram } from '../statistics/latency-histogram.js';
import { openConversation } from './crew.js';
import type { Ground, Scenario } from './ground.js';

const ROUNDS = 5;
const MAX_PAGES = 1_000;

interface Page {
  /** Tools so far. */
  readonly tools: number;
  /** Milliseconds since the first page was asked for. */
  readonly ms: number;
}

interface Reading {
  readonly pages: readonly Page[];
  readonly failure: string | undefined;
}

const readPages = async ({ era, deadlineMs, signal }: Ground, conversation: Conversation): Promise<Reading> => {
  const { line } = conversation;
  const pages: Page[] = [];
  const startedAt = performance.now();
  let [tools, cursor]: [number, unknown] = [0, undefined];
  while (pages.length < MAX_PAGES && !signal.aborted) {
    const params = enveloped(cursor === undefined ? undefined : { cursor }, { era, revision: line.revision }, {});
    const message = requestMessage(conversation.newId(), 'tools/list', params);
    const headers = era === 'modern' ? mirroredHeaders(message) : {};
    const sent = { id: Number(message['id']), text: JSON.stringify(message), headers };
    const arrival = await line.request(sent, deadlineMs);
    const result = arrival.kind === 'answer' ? at(arrival.message, 'result') : undefined;
    if (result === undefined) return { pages, failure: arrival.kind === 'failure' ? arrival.error : 'refused' };
    tools += listAt(result, 'tools').length;
    pages.push({ tools, ms: arrival.at - startedAt });
    cursor = at(result, 'nextCursor');
    if (typeof cursor !== 'string') break;
  }
  return { pages, failure: undefined };
};

/** The whole list of tools, page by page: how long it takes for how many. */
export const list: Scenario = async (ground) => {
  const conversation = ground.shared ?? (await openConversation(ground));
  try {
    const byTools = new Map<number, LatencyHistogram>();
    const whole = new LatencyHistogram();
    let failure: string | undefined;
    for (let round = 0; round < ROUNDS && failure === undefined && !ground.signal.aborted; round += 1) {
      const reading = await readPages(ground, conversation);
      ({ failure } = reading);
      for (const { tools, ms } of reading.pages) {
        const histogram = byTools.get(tools) ?? new LatencyHistogram();
        histogram.record(ms);
        byTools.set(tools, histogram);
      }
      const last = reading.pages.at(-1);
      if (last !== undefined && failure === undefined) whole.record(last.ms);
    }
    if (failure === undefined) ground.metrics.latency('list_duration', whole.summary());
    const curve = [...byTools].map(([x, histogram]) => ({ x, latency: histogram.summary(), failed: 0 }));
    const tools = curve.at(-1)?.x ?? 0;
    const summary =
      failure === undefined
        ? `${tools} tools on ${curve.length} ${curve.length === 1 ? 'page' : 'pages'}: p50 ${whole.percentile(50).toFixed(2)} ms`
        : `failed after ${tools} tools: ${failure}`;
    return { summary, phases: [], curve };
  } finally {
    if (ground.shared === undefined) await conversation.line.close();
  }
};
