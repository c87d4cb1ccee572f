import { Tally, type Recorded } from '../generator/tally.js';
import { openConversation } from './crew.js';
import type { Ground, Scenario } from './ground.js';
import { momentOf, shapeOf, whileTelling } from './measure.js';
import { readPages } from './read-pages.js';

const STARTS = 5;

/** Opens a connection and reads the list; how long it takes to close it does not count. */
const startOnce = async (ground: Ground): Promise<Recorded> => {
  const sentAt = performance.now();
  const recorded = (error: string | undefined): Recorded => ({
    dueAt: sentAt,
    sentAt,
    doneAt: performance.now(),
    error,
  });
  const conversation = await openConversation(ground).catch(() => undefined);
  if (conversation === undefined) return recorded('not opened');
  try {
    return recorded((await readPages(ground, conversation)).failure);
  } finally {
    await conversation.line.close();
  }
};

/** How long a client that comes new waits until it knows the tools: over stdio for a new process each time. */
export const coldStart: Scenario = async (ground) => {
  const measurement = {
    scenario: 'cold-start',
    name: 'from process start to the list of tools',
    ms: STARTS * ground.deadlineMs,
    calls: STARTS,
  };
  const tally = new Tally(shapeOf(measurement, 1), performance.now());
  await whileTelling(ground, measurement, { callers: 1, moment: () => momentOf(tally) }, async () => {
    while (tally.calls < STARTS && !ground.signal.aborted) tally.record(await startOnce(ground));
  });
  const phase = tally.phase(performance.now());
  ground.onPhase(phase);
  ground.metrics.latency('cold_start_duration', phase.uncorrected);
  ground.metrics.failures('cold_start_failed', phase);
  const { p50, max } = phase.uncorrected;
  return { summary: `p50 ${p50.toFixed(0)} ms, at most ${max.toFixed(0)} ms, ${phase.failed} failed`, phases: [phase] };
};
