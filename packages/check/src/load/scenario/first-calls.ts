import type { Scenario } from './ground.js';
import { callerOf, openConversation, openCrew, type Crew } from './crew.js';
import { measure } from './measure.js';
import type { Ground } from './ground.js';

/** Callers of a server that has seen no call: over stdio on a new process. */
const freshCrew = async (ground: Ground, size: number): Promise<Crew> => {
  if (ground.shared === undefined) return await openCrew(ground, size);
  const conversation = await openConversation(ground);
  return {
    callers: Array.from({ length: size }, () => callerOf(ground, ground.call, conversation)),
    conversations: [conversation],
    attempted: size,
    refusals: [],
    close: () => conversation.line.close(),
  };
};

/** The first calls all at once: what is set up lazily must not deadlock. */
export const firstCalls: Scenario = async (ground) => {
  const crew = await freshCrew(ground, ground.plan.concurrency);
  try {
    const phase = await measure(ground, crew.callers, {
      scenario: 'first-calls',
      name: 'first calls at once',
      ms: ground.deadlineMs,
      calls: crew.callers.length,
    });
    const returned = phase.calls - phase.failed;
    const failed = crew.attempted - returned;
    ground.metrics.set('first_calls_failed', { count: failed, rate: failed / crew.attempted });
    return { summary: `${returned} of ${crew.attempted} first calls returned`, phases: [phase] };
  } finally {
    await crew.close();
  }
};
