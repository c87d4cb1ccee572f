import { anySignal } from '../connection/any-signal.js';
import type { CheckResult } from '@plugboard/contract';
import { pause } from '../connection/deadline.js';
import { isObject, type JsonObject } from '../connection/json.js';
import { describe, type Answer } from '../session/answer.js';
import type { Session } from '../session/session.js';
import { broken } from './assert.js';
import type { Connections } from './connections.js';
import { evaluate } from './path.js';
import { fill, Unfilled, type Variables } from './template.js';
import type { CodeStep, StepTools, WorkflowStep } from './workflow.js';

/** The outcome of one attempt at a step. */
export interface StepOutcome {
  readonly problems: readonly string[];
  readonly captured: Variables;
  readonly sent: string;
  readonly received: string;
  readonly attempts: number;
  /** It refers to something that no earlier step captured. */
  readonly unfilled?: boolean;
  readonly era?: CheckResult['era'];
  readonly transport?: CheckResult['transport'];
}

export interface StepRun {
  readonly connections: Connections;
  readonly variables: Variables;
  readonly signal: AbortSignal;
}

const ATTEMPT_MS = 30_000;
const MAX_SHOWN = 8_000;

const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? '';
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}… (${text.length} characters)` : text;
};

const failed = ({ result, error }: Answer): boolean =>
  error !== undefined || result === undefined || result['isError'] === true;

const textOf = (result: JsonObject): string =>
  (Array.isArray(result['content']) ? result['content'] : [])
    .flatMap((part: unknown) => (isObject(part) && typeof part['text'] === 'string' ? [part['text']] : []))
    .join('\n')
    .slice(0, 500);

const whyFailed = (answer: Answer): string =>
  answer.result?.['isError'] === true
    ? `The tool failed: ${textOf(answer.result)}`
    : `The server answered with ${describe(answer)}.`;

const send = async (session: Session, step: WorkflowStep, { variables, signal }: StepRun): Promise<Answer> => {
  const method = step.tool === undefined ? (step.method ?? '') : 'tools/call';
  const params = step.tool === undefined ? (step.params ?? {}) : { name: step.tool, arguments: step.arguments ?? {} };
  return await session.request(method, fill(params, variables) as JsonObject, {
    timeoutMs: step.timeoutMs ?? ATTEMPT_MS,
    signal,
  });
};

/** What a promise comes to, or the reason of the signal when that fires first. */
const unlessAborted = async <T>(promise: Promise<T>, signal: AbortSignal): Promise<T> => {
  signal.throwIfAborted();
  const settled = new AbortController();
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { signal: settled.signal });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    settled.abort();
  }
};

const attempt = async (step: WorkflowStep, run: StepRun): Promise<StepOutcome> => {
  const session = await unlessAborted(run.connections.session(step.server), run.signal);
  const answer = await send(session, step, run);
  const where = { era: session.era, transport: session.transport } as const;
  const traffic = { sent: shown(answer.request), received: shown(answer.response), attempts: 1, ...where };
  if (failed(answer) !== step.expectError) {
    const problem = step.expectError ? 'The call succeeded, but must fail.' : whyFailed(answer);
    return { problems: [problem], captured: {}, ...traffic };
  }
  const result = answer.result ?? { error: { ...answer.error } };
  const captured: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const [name, path] of Object.entries(step.capture)) {
    const value = evaluate(path, result);
    if (value === undefined) problems.push(`${path} has no value, so "${name}" cannot be captured.`);
    else captured[name] = value;
  }
  const known = { ...run.variables, ...captured };
  return {
    problems: [...problems, ...step.expect.flatMap((assertion) => broken(assertion, result, known))],
    captured,
    ...traffic,
  };
};

const asOutcome = (error: unknown): StepOutcome => ({
  unfilled: error instanceof Unfilled,
  problems: [error instanceof Error ? error.message : String(error)],
  captured: {},
  sent: '',
  received: '',
  attempts: 1,
});

/** A step of a file, with its retries. A cancelled run cancels the request in flight and does not wait for its answer. */
export const runStep = async (step: WorkflowStep, run: StepRun): Promise<StepOutcome> => {
  const most = step.retry?.attempts ?? 1;
  for (let attempts = 1; ; attempts += 1) {
    run.signal.throwIfAborted();
    const outcome = { ...(await attempt(step, run).catch(asOutcome)), attempts };
    run.signal.throwIfAborted();
    if (outcome.problems.length === 0 || attempts >= most) return outcome;
    await pause(step.retry?.delayMs ?? 0, run.signal);
  }
};

const toolsOf = ({ connections, variables, signal }: StepRun, open: Set<Promise<unknown>>): StepTools => {
  const answerTo = async (server: string, method: string, params: JsonObject | undefined): Promise<JsonObject> => {
    const session = await unlessAborted(connections.session(server), signal);
    const answer = await session.request(method, params, { signal });
    if (answer.result === undefined) throw new Error(whyFailed(answer));
    return answer.result;
  };
  const request: StepTools['request'] = async (server, method, params) => {
    const asked = answerTo(server, method, params);
    open.add(asked);
    try {
      return await asked;
    } finally {
      open.delete(asked);
    }
  };
  return {
    request,
    call: async (server, tool, args = {}) => {
      const result = await request(server, 'tools/call', { name: tool, arguments: args });
      if (result['isError'] === true) throw new Error(`The tool failed: ${textOf(result)}`);
      return result;
    },
    variables,
    signal,
  };
};

/** A step in code. */
export const runCode = async (step: CodeStep, run: StepRun): Promise<StepOutcome> => {
  const limit = AbortSignal.timeout(step.timeoutMs ?? ATTEMPT_MS);
  const signal = anySignal(run.signal, limit);
  const open = new Set<Promise<unknown>>();
  const ended = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('The step was cancelled or exceeded its time limit.')), {
      once: true,
    });
  });
  try {
    const captured = await Promise.race([step.run(toolsOf({ ...run, signal }, open)), ended]);
    return { problems: [], captured: captured ?? {}, sent: '', received: '', attempts: 1 };
  } catch (error) {
    return asOutcome(error);
  } finally {
    // Requests of a step that was cut off are cancelled before the next step begins.
    if (signal.aborted) await Promise.allSettled(open);
  }
};
