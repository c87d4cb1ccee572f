import fc from 'fast-check';
import { NoAnswer } from '../../connection/no-answer.js';
import type { JsonObject } from '../../connection/json.js';
import { argumentsArbitrary } from '../../generate/arbitrary.js';
import { ALL_TRANSPORTS, BOTH_ERAS, defineCheck } from '../../model/check.js';
import { describe, type Answer } from '../../session/answer.js';
import type { Probe } from '../../probe/probe.js';
import type { CallableTool } from '../../calls/tool.js';
import type { Session } from '../../session/session.js';
import { exercise } from '../instrument/exercise.js';
import { inBoth } from '../instrument/in-both.js';
import { judged, NOTHING_CALLABLE, type Flaw } from '../instrument/judge.js';

const SLOW_PARAMETER =
  /^(?:ms|millis|milliseconds|secs?|seconds|minutes?|duration|delay|timeout|wait|sleep|interval|steps|rounds|count|size|bytes|limit)/iu;

/** Not tools that are told how long to wait or how much to do: that would measure our patience. */
const isQuick = ({ inputSchema }: CallableTool): boolean => {
  const properties = (inputSchema as { properties?: object } | null)?.properties ?? {};
  return !Object.keys(properties).some((name) => SLOW_PARAMETER.test(name));
};

const wentWrong = (answer: Answer | undefined): string | undefined => {
  if (answer === undefined) return 'no answer';
  return answer.error?.code === -32603 ? describe(answer) : undefined;
};

const attempt = async (
  probe: Probe,
  session: Session,
  tool: CallableTool,
  args: JsonObject,
): Promise<Answer | undefined> => {
  try {
    return await probe.call(session, tool, args);
  } catch (error) {
    if (error instanceof NoAnswer) return undefined;
    throw error;
  }
};

/** The smallest arguments with which the tool breaks, found by fast-check; undefined when there are none. */
const smallestFailure = async (probe: Probe, session: Session, tool: CallableTool): Promise<Flaw | undefined> => {
  let last: Flaw | undefined;
  const property = fc.asyncProperty(argumentsArbitrary(tool.inputSchema), async (args) => {
    const answer = await attempt(probe, session, tool, args);
    const wrong = wentWrong(answer);
    if (wrong === undefined) return true;
    last = { detail: `${tool.name}(${JSON.stringify(args)}): ${wrong}.`, exchange: answer?.exchange };
    return false;
  });
  const { failed } = await fc.check(property, {
    seed: probe.seed,
    numRuns: probe.target.budgets.generated,
    interruptAfterTimeLimit: Math.floor(probe.target.budgets.checkMs / 4),
    markInterruptAsFailure: false,
  });
  return failed ? last : undefined;
};

export const validArgumentsServed = defineCheck({
  family: 'tools',
  eras: BOTH_ERAS,
  transports: ALL_TRANSPORTS,
  needs: 'tools',
  id: 'TOL-10',
  title: 'arguments that the schema of a tool allows never lead to silence or an internal error',
  level: 'SHOULD',
  tier: 'full',
  source: inBoth(
    'schema#calltoolresult',
    'Any errors that originate from the tool SHOULD be reported inside the result object, with isError set to true, not as an MCP protocol-level error response.',
  ),
  remedy: 'Catch errors of the tool and answer with isError. Describe in the schema what the tool really accepts.',
  async run(probe) {
    const called = await exercise(probe);
    if (called.length === 0) return NOTHING_CALLABLE;
    const silent: readonly Flaw[] = called
      .filter(({ tool, answer }) => wentWrong(answer) !== undefined && (answer !== undefined || isQuick(tool)))
      .map(({ tool, args, answer }) => ({
        detail: `${tool.name}(${JSON.stringify(args)}): ${wentWrong(answer)}.`,
        exchange: answer?.exchange,
      }));
    const broken = new Set(called.filter(({ answer }) => wentWrong(answer) !== undefined).map(({ tool }) => tool.name));
    const session = await probe.open();
    const flaws: Flaw[] = [...silent];
    for (const tool of (await probe.callable()).filter((one) => isQuick(one) && !broken.has(one.name)).slice(0, 12)) {
      const flaw = await smallestFailure(probe, session, tool);
      if (flaw !== undefined) flaws.push(flaw);
    }
    return judged(flaws, 'a result', `Seed ${probe.seed}.`);
  },
});
