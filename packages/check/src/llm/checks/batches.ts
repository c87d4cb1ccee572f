import { pause } from '../../connection/deadline.js';
import { at, tryJson } from '../../connection/json.js';
import { ASKS } from '../ask.js';
import { BatchProblem, type BatchSteps, type SendStep } from '../dialect/dialect.js';
import { fail, type Finding, type LlmCheck, PASS } from '../probe/llm-check.js';
import type { LlmProbe } from '../probe/llm-probe.js';

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 10_000;

/** Looks again, at longer and longer intervals, until the batch is done; undefined when it takes too long. */
const followed = async (probe: LlmProbe, steps: BatchSteps, path: string, ms: number): Promise<unknown> => {
  const until = performance.now() + ms;
  for (let wait = FIRST_PAUSE_MS; performance.now() < until; wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
    const { status, json } = await probe.send({ method: 'GET', path });
    if (status !== 200) throw new BatchProblem(`Looking at the batch gives status ${status}.`);
    if (steps.isDone(json)) return json;
    await pause(wait);
  }
  return undefined;
};

const judgeBatch = async (probe: LlmProbe, steps: BatchSteps, ms: number): Promise<Finding> => {
  const expected = 'a batch that is accepted, can be followed, and has one result';
  const reach: SendStep = async (outgoing) => {
    const { status, json, text } = await probe.send(outgoing);
    if (status !== 200) throw new BatchProblem(`${outgoing.method} ${outgoing.path} gives status ${status}.`);
    return { json, text };
  };
  try {
    const batch = await followed(probe, steps, await steps.submit(reach, probe.target, ASKS.plain), ms);
    if (batch === undefined) {
      return {
        verdict: 'not-verified',
        detail: `The batch was not done after ${ms} ms.`,
        supply: 'Give --batch more time, such as --batch 3600.',
      };
    }
    const lines = (await steps.results(reach, batch)).trim().split('\n');
    return lines.length === 1 && at(tryJson(lines[0] ?? ''), 'custom_id') === 'one'
      ? PASS
      : fail('The results are not one line with the id of the request.', expected);
  } catch (error) {
    if (error instanceof BatchProblem) return fail(error.message, expected);
    throw error;
  }
};

export const BATCH_CHECKS: readonly LlmCheck[] = [
  {
    id: 'LLM-50',
    title: 'A batch can be submitted, followed and read',
    problem: 'A batch cannot be submitted, followed and read',
    family: 'Batches',
    level: 'MUST',
    rule: 'A batch of one request is accepted, reports its status, and has the result of that request at the end.',
    remedy: 'Implement the routes for batches as the API documents them.',
    judge: async (probe) => {
      const { batch } = probe.dialect;
      if (batch === undefined) return { verdict: 'not-applicable', detail: 'Batches of this API need other services.' };
      const { batchMs } = probe.target;
      return batchMs === undefined
        ? { verdict: 'not-applicable', detail: 'Not requested: --batch submits a batch of one request.' }
        : judgeBatch(probe, batch, batchMs);
    },
  },
];
