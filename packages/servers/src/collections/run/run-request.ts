import postman from 'postman-collection';
import type { ConsoleLine } from '../../sandbox/isolate/isolate-job.js';
import { CollectionError } from '../collections-error.js';
import type { JsonObject, RequestModel } from '../model/collection-model.js';
import { readDefinition } from '../postman/read-request.js';
import type { ScriptContext } from '../script/script-context.js';
import type { Assertion } from '../script/script-report.js';
import type { ScriptRunner } from '../script/script-runner.js';
import type { Answer, OutgoingRequest } from '../../send/outgoing-request.js';
import type { CookieJar } from '../../send/cookie-jar.js';
import type { SendOptions, SendRequest } from '../../send/send-request.js';
import type { ReadBodyFile } from './encode-body.js';
import { assertExpectations, assertPromise, textOf, type Expectations } from './expectations.js';
import {
  masked,
  reportedError,
  type ReportedAnswer,
  type ReportedError,
  type RequestReport,
} from './request-report.js';
import { resolveRequest } from './resolve-request.js';
import { ScriptHost, type ScriptRequest } from './script-host.js';
import { merged, type VariableScopes } from '../model/variable-scopes.js';

export interface RequestRun {
  readonly model: RequestModel;
  readonly scopes: VariableScopes;
  readonly iteration: number;
  readonly iterations: number;
  readonly expected: Expectations;
  readonly sendRequest: SendRequest;
  readonly send: SendOptions & { readonly cookies: CookieJar };
  readonly readFile: ReadBodyFile;
  readonly scripts: Pick<ScriptRunner, 'run'>;
}

export interface RequestRunResult {
  readonly report: RequestReport;
  /** With what scripts changed. */
  readonly scopes: VariableScopes;
  /** What `setNextRequest` named; null ends the iteration. */
  readonly next: string | null | undefined;
}

/** Scripts before, the request, scripts after, expectations. Only a cancellation is thrown; all else is reported. */
export const runRequest = async (run: RequestRun): Promise<RequestRunResult> => {
  const course = new Course(run);
  try {
    await course.take();
  } catch (error) {
    const known = reportedError(error);
    if (known.code === 'CANCELLED') throw new CollectionError('CANCELLED');
    course.fail(known);
  }
  return { report: course.report(), scopes: course.scopes, next: course.next };
};

/** One request on its way. */
class Course {
  readonly #run: RequestRun;
  readonly #assertions: Assertion[] = [];
  readonly #console: ConsoleLine[] = [];
  readonly #sentByScripts: ScriptRequest[] = [];
  #model: RequestModel;
  #outgoing: OutgoingRequest | undefined;
  #answer: Answer | undefined;
  #skipped = false;
  #error: ReportedError | undefined;
  scopes: VariableScopes;
  next: string | null | undefined;

  constructor(run: RequestRun) {
    this.#run = run;
    this.#model = run.model;
    this.scopes = run.scopes;
  }

  async take(): Promise<void> {
    const { send, sendRequest, readFile, expected } = this.#run;
    await this.#scripts('prerequest');
    if (this.#skipped) return;
    this.#outgoing = await resolveRequest(this.#model, merged(this.scopes), readFile);
    const { followRedirects } = this.#model.behaviour ?? {};
    this.#answer = await sendRequest(this.#outgoing, {
      ...send,
      ...(followRedirects === undefined ? {} : { followRedirects }),
    });
    await this.#scripts('test');
    const { promise } = this.#model;
    this.#assertions.push(
      ...assertExpectations(expected, this.#answer),
      ...(promise === undefined ? [] : assertPromise(promise, this.#answer)),
    );
  }

  /** The first failure is the one that is told. */
  fail(error: ReportedError): void {
    this.#error ??= error;
  }

  report(): RequestReport {
    const { iteration } = this.#run;
    const { id, method } = this.#model;
    const secrets = this.#outgoing?.secrets ?? [];
    return {
      id,
      iteration,
      method,
      url: this.#outgoing === undefined ? this.#model.url : shownUrl(this.#outgoing),
      outcome: this.#outcome(),
      ...(this.#answer === undefined ? {} : { answer: shownAnswer(this.#answer) }),
      assertions: this.#assertions,
      console: this.#console.map(({ level, text }) => ({ level, text: masked(text, secrets) })),
      scriptRequests: this.#sentByScripts,
      ...(this.#error === undefined ? {} : { error: this.#error }),
    };
  }

  #outcome(): RequestReport['outcome'] {
    if (this.#error !== undefined) return 'error';
    if (!this.#assertions.every(({ passed }) => passed)) return 'failed';
    return this.#skipped ? 'skipped' : 'passed';
  }

  /** An error of a script is reported and fails this request; the request is sent and its other scripts run. */
  async #scripts(eventName: 'prerequest' | 'test'): Promise<void> {
    const { model, scripts, send, sendRequest, readFile } = this.#run;
    for (const script of eventName === 'test' ? model.scripts.after : model.scripts.before) {
      const host = new ScriptHost({ send, sendRequest, readFile, values: merged(this.scopes) });
      const { answer, sent } = host;
      const result = await scripts.run(script, await this.#context(eventName), { signal: send.signal, answer });
      this.#assertions.push(...result.assertions);
      this.#console.push(...result.console);
      this.#sentByScripts.push(...sent);
      this.scopes = result.scopes;
      if (result.next !== undefined) this.next = result.next;
      if (result.problem !== undefined) this.fail(reportedError(new CollectionError('SCRIPT_FAILED', result.problem)));
      if (eventName === 'prerequest' && result.request !== undefined) this.#change(result.request);
      if (result.skipped) {
        this.#skipped = true;
        return;
      }
    }
  }

  /** Scripts before the request may change it. */
  #change(definition: JsonObject): void {
    const { auth, ...parts } = readDefinition(definition);
    this.#model = { ...this.#model, ...parts, auth: auth ?? this.#model.auth };
  }

  async #context(eventName: 'prerequest' | 'test'): Promise<ScriptContext> {
    const { iteration, iterations, send } = this.#run;
    const { name, itemId = '' } = this.#model;
    const answer = this.#answer;
    return {
      eventName,
      scopes: this.scopes,
      requestId: itemId,
      requestName: name,
      iteration,
      iterations,
      request: this.#requestSeen(),
      cookies: this.#outgoing === undefined ? [] : await send.cookies.list(this.#outgoing.url),
      ...(answer === undefined ? {} : { response: seenBy(answer) }),
    };
  }

  /** Before it is sent, a script sees the request as it is written; afterwards, as it was sent. */
  #requestSeen(): JsonObject {
    const definition = this.#model.definition ?? {};
    if (this.#outgoing === undefined) return definition;
    const options = { ignoreOwnVariables: true };
    const resolved = new postman.Request(definition).toObjectResolved(null, [merged(this.scopes)], options);
    return { ...resolved, header: this.#outgoing.headers.map((header) => ({ ...header })) };
  }
}

const seenBy = (answer: Answer): NonNullable<ScriptContext['response']> => ({
  code: answer.status,
  status: answer.statusText,
  timeMs: answer.timeMs,
  headers: answer.headers,
  body: answer.body,
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
