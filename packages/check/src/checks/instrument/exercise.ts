import type { JsonObject } from '../../connection/json.js';
import { at } from '../../connection/json.js';
import { NoAnswer } from '../../connection/no-answer.js';
import type { Probe } from '../../probe/probe.js';
import type { CallableTool } from '../../calls/tool.js';
import type { Answer } from '../../session/answer.js';
import type { RequestOptions, Session } from '../../session/session.js';

const MAX_TOOLS = 24;
const MAX_WAIT_MS = 5_000;

/** One call of a tool; `answer` is undefined when none came in time. */
export interface Called {
  readonly tool: CallableTool;
  readonly args: JsonObject;
  readonly answer: Answer | undefined;
}

/** Calls a tool without failing when it stays silent: that is for one check to say, not for all. */
export const tryCall = async (
  probe: Probe,
  session: Session,
  { tool, args }: Pick<Called, 'tool' | 'args'>,
  options: RequestOptions = {},
): Promise<Called> => {
  const timeoutMs = Math.min(probe.target.budgets.requestMs, MAX_WAIT_MS);
  try {
    return { tool, args, answer: await probe.call(session, tool, args, { timeoutMs, ...options }) };
  } catch (error) {
    if (error instanceof NoAnswer) return { tool, args, answer: undefined };
    throw error;
  }
};

/** Every tool that may be called, called once with each of its arguments by a client that can do nothing special. */
export const exercise = (probe: Probe): Promise<readonly Called[]> =>
  probe.once('exercise', async () => {
    const tools = (await probe.samplable()).slice(0, MAX_TOOLS);
    if (tools.length === 0) return [];
    let session = await probe.open();
    const called: Called[] = [];
    for (const tool of tools) {
      for (const args of tool.arguments) {
        called.push(await tryCall(probe, session, { tool, args }));
        // One tool that ends the process must not keep the others from being judged.
        if (session.death !== undefined) session = await probe.open();
      }
    }
    return called;
  });

/** The tools among them that answer and may be called freely, for checks that call again. */
export const responsive = async (probe: Probe): Promise<readonly CallableTool[]> =>
  (await answering(probe)).filter(({ free }) => free);

/** The tools that may be called freely and come to a result: what fails afterwards does so for another reason. */
export const successful = async (probe: Probe): Promise<readonly CallableTool[]> => {
  const good = new Set((await exercise(probe)).filter(isComplete).map(({ tool }) => tool.name));
  return (await responsive(probe)).filter(({ name }) => good.has(name));
};

/** The tools among them that answer. */
export const answering = async (probe: Probe): Promise<readonly CallableTool[]> => {
  const silent = new Set(
    (await exercise(probe)).filter(({ answer }) => answer === undefined).map(({ tool }) => tool.name),
  );
  return (await probe.samplable()).filter(({ name }) => !silent.has(name)).slice(0, MAX_TOOLS);
};

/** A call that came to a proper result: no error, nothing asked, no task. */
export const isComplete = ({ answer }: Called): boolean =>
  answer?.result !== undefined &&
  answer.result['isError'] !== true &&
  (at(answer.result, 'resultType') ?? 'complete') === 'complete';
