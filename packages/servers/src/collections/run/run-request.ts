import type { ConsoleLine } from '../../sandbox/isolate/isolate-job.js';
import { CollectionError } from '../collections-error.js';
import type { RequestModel } from '../library/collection-model.js';
import type { Assertion, ScriptContext, ScriptRunner } from '../script/script-runner.js';
import type { Answer, OutgoingRequest } from '../send/outgoing-request.js';
import type { SendOptions, SendRequest } from '../send/send-request.js';
import { assertExpectations, assertPromise, textOf, type Expectations } from './expectations.js';
import { masked, reportedError, type ReportedAnswer, type RequestReport } from './request-report.js';
import { resolveRequest } from './resolve-request.js';
import { merged, type VariableScopes } from './variable-scopes.js';

export interface RequestRun {
  readonly model: RequestModel;
  readonly scopes: VariableScopes;
  readonly iteration: number;
  readonly expected: Expectations;
  readonly sendRequest: SendRequest;
  readonly send: SendOptions;
  readonly scripts: Pick<ScriptRunner, 'run'>;
}

export interface RequestRunResult {
  readonly report: RequestReport;
  /** With what scripts changed. */
  readonly scopes: VariableScopes;
}

/** Scripts before, the request, scripts after, expectations. Only a cancellation is thrown; all else is reported. */
export const runRequest = async (run: RequestRun): Promise<RequestRunResult> => {
  const course = new Course(run);
  try {
    await course.take();
  } catch (error) {
    const known = reportedError(error);
    if (known.code === 'CANCELLED') throw error;
    return { report: { ...course.report(), outcome: 'error', error: known }, scopes: course.scopes };
  }
  return { report: course.report(), scopes: course.scopes };
};

/** One request on its way. */
class Course {
  readonly #run: RequestRun;
  readonly #assertions: Assertion[] = [];
  readonly #console: ConsoleLine[] = [];
  #outgoing: OutgoingRequest | undefined;
  #answer: Answer | undefined;
  scopes: VariableScopes;

  constructor(run: RequestRun) {
    this.#run = run;
    this.scopes = run.scopes;
  }

  async take(): Promise<void> {
    const { model, send, sendRequest, expected } = this.#run;
    await this.#scripts('prerequest');
    this.#outgoing = resolveRequest(model, merged(this.scopes));
    this.#answer = await sendRequest(this.#outgoing, send);
    await this.#scripts('test');
    this.#assertions.push(
      ...assertExpectations(expected, this.#answer),
      ...(model.promise === undefined ? [] : assertPromise(model.promise, this.#answer)),
    );
  }

  report(): RequestReport {
    const { model, iteration } = this.#run;
    const { id, method } = model;
    return {
      id,
      iteration,
      method,
      url: this.#outgoing === undefined ? model.url : shownUrl(this.#outgoing),
      outcome: this.#assertions.every(({ passed }) => passed) ? 'passed' : 'failed',
      ...(this.#answer === undefined ? {} : { answer: shownAnswer(this.#answer) }),
      assertions: this.#assertions,
      console: this.#console,
    };
  }

  async #scripts(eventName: 'prerequest' | 'test'): Promise<void> {
    const { model, scripts, send } = this.#run;
    for (const script of eventName === 'test' ? model.scripts.after : model.scripts.before) {
      const result = await scripts.run(script, this.#context(eventName), send.signal);
      this.#assertions.push(...result.assertions);
      this.#console.push(...result.console);
      this.scopes = result.scopes;
      if (result.problem !== undefined) throw new CollectionError('SCRIPT_FAILED', result.problem);
    }
  }

  #context(eventName: 'prerequest' | 'test'): ScriptContext {
    const { model, iteration } = this.#run;
    const { body } = this.#outgoing ?? {};
    return {
      scopes: this.scopes,
      info: { requestName: model.name, iteration, eventName },
      request: {
        method: model.method,
        url: this.#outgoing?.url.href ?? model.url,
        headers: this.#outgoing?.headers ?? model.headers,
        ...(body === undefined ? {} : { body: new TextDecoder().decode(body) }),
      },
      ...(this.#answer === undefined ? {} : { response: seenBy(this.#answer) }),
    };
  }
}

const seenBy = (answer: Answer): NonNullable<ScriptContext['response']> => ({
  code: answer.status,
  status: answer.statusText,
  timeMs: answer.timeMs,
  size: answer.body.byteLength,
  headers: answer.headers,
  body: textOf(answer),
});

const shownUrl = ({ url, secrets }: OutgoingRequest): string => {
  const shown = new URL(url);
  shown.username = '';
  shown.password = '';
  return masked(shown.href, secrets);
};

const shownAnswer = (answer: Answer): ReportedAnswer => {
  const { status, statusText, timeMs, redirects, headers, body } = answer;
  return { status, statusText, timeMs, bytes: body.byteLength, redirects, headers, body: textOf(answer) };
};
