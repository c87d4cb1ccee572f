import { LatencyHistogram } from '../statistics/latency-histogram.js';
import { openConversation } from './crew.js';
import type { Scenario } from './ground.js';
import { readPages } from './read-pages.js';

const ROUNDS = 5;
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
