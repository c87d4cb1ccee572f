import { CollectionError } from '../collections-error.js';
import type { CollectionModel, EnvironmentModel, RequestModel } from '../model/collection-model.js';
import type { ScriptRunner } from '../script/script-runner.js';
import { CookieJar } from '../../send/cookie-jar.js';
import type { SendRequest } from '../../send/send-request.js';
import type { TargetPolicy } from '../../send/target-policy.js';
import type { ReadBodyFile } from './encode-body.js';
import type { Expectations } from './expectations.js';
import type { RequestReport } from './request-report.js';
import { runRequest } from './run-request.js';
import { valuesOf, type Values, type VariableScopes, substitute, unresolvedIn } from '../model/variable-scopes.js';

export interface RunnerOptions {
  readonly policy: TargetPolicy;
  readonly scripts: Pick<ScriptRunner, 'run'>;
  readonly sendRequest: SendRequest;
  readonly readFile: ReadBodyFile;
  readonly requestMs: number;
  readonly runMs: number;
  readonly maxBodyBytes: number;
}

export interface RunPlan {
  readonly collection: CollectionModel;
  readonly requests: readonly RequestModel[];
  readonly environment: EnvironmentModel | undefined;
  readonly variables: Values;
  /** One set of values per iteration; they win over `variables`. */
  readonly data: readonly Values[];
  readonly expected: Expectations;
  /** Whether the first request that does not pass ends the run. */
  readonly bail: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly onRequest?: (done: number, total: number, report: RequestReport) => void;
}

export interface RunReport {
  readonly requests: readonly RequestReport[];
  /** Requests that were not sent because the run ended before. */
  readonly left: number;
  readonly ended: 'complete' | 'bail' | 'time' | 'count';
  readonly timeMs: number;
}

/** Scripts can send a run back to where it was; this ends what would never end. */
const MAX_REQUESTS = 2000;

/** Runs requests one after the other, as their collection has them. */
export class CollectionRunner {
  readonly #options: RunnerOptions;

  constructor(options: RunnerOptions) {
    this.#options = options;
  }

  async run(plan: RunPlan): Promise<RunReport> {
    return new Run(plan, this.#options).toTheEnd();
  }
}

const BASE = /^(?:(?<scheme>[a-z][a-z\d+.-]*):\/\/)?(?<rest>[^/?#]*)/iu;

/**
 * The origins that the files of the directory name. A caller's variables and scripts are left out on purpose: they
 * decide what is asked for, not which programs of this machine can be reached.
 */
export const ownOrigins = (
  { variables, requests }: CollectionModel,
  environment: EnvironmentModel | undefined,
): ReadonlySet<string> => {
  const values = { ...valuesOf(variables), ...valuesOf(environment?.variables ?? []) };
  const origins = requests.flatMap(({ url, defaults }) => originOf(substitute(url, { ...defaults, ...values })));
  return new Set(origins);
};

const originOf = (address: string): readonly string[] => {
  const { scheme = 'http', rest = '' } = BASE.exec(address.trim())?.groups ?? {};
  const base = `${scheme}://${rest}`;
  return rest === '' || unresolvedIn([base]).length > 0 || !URL.canParse(base) ? [] : [new URL(base).origin];
};

class Run {
  readonly #plan: RunPlan;
  readonly #options: RunnerOptions;
  readonly #policy: TargetPolicy;
  readonly #cookies = new CookieJar();
  readonly #reports: RequestReport[] = [];
  readonly #started = performance.now();
  #scopes: VariableScopes;

  constructor(plan: RunPlan, options: RunnerOptions) {
    this.#plan = plan;
    this.#options = options;
    this.#policy = options.policy.withOwnOrigins(ownOrigins(plan.collection, plan.environment));
    this.#scopes = scopesOf(plan);
  }

  async toTheEnd(): Promise<RunReport> {
    const { data, variables } = this.#plan;
    for (const [iteration, values] of data.entries()) {
      this.#scopes = { ...this.#scopes, data: { ...variables, ...values } };
      const ended = await this.#iterate(iteration);
      if (ended !== 'complete') return this.#finish(ended);
    }
    return this.#finish('complete');
  }

  async #iterate(iteration: number): Promise<RunReport['ended']> {
    const { requests, bail, signal, data, onRequest } = this.#plan;
    for (let position: number | undefined = 0; position !== undefined && position < requests.length;) {
      const model: RequestModel | undefined = requests[position];
      if (model === undefined) break;
      if (signal?.aborted === true) throw new CollectionError('CANCELLED');
      if (this.#leftMs() <= 0) return 'time';
      if (this.#reports.length >= MAX_REQUESTS) return 'count';
      const { report, next } = await this.#request(model, iteration);
      this.#reports.push(report);
      onRequest?.(this.#reports.length, Math.max(requests.length * data.length, this.#reports.length), report);
      if (bail && (report.outcome === 'failed' || report.outcome === 'error')) return 'bail';
      position = next === undefined ? position + 1 : positionOf(requests, next);
    }
    return 'complete';
  }

  async #request(model: RequestModel, iteration: number) {
    const { maxBodyBytes, requestMs, scripts, sendRequest, readFile } = this.#options;
    const { expected, signal, data } = this.#plan;
    const result = await runRequest({
      model,
      scopes: this.#scopes,
      iteration,
      iterations: data.length,
      expected,
      send: {
        policy: this.#policy,
        cookies: this.#cookies,
        maxBodyBytes,
        timeMs: Math.ceil(Math.min(requestMs, this.#leftMs())),
        signal,
      },
      sendRequest,
      readFile,
      scripts,
    });
    this.#scopes = result.scopes;
    return result;
  }

  #leftMs(): number {
    return this.#started + this.#options.runMs - performance.now();
  }

  #finish(ended: RunReport['ended']): RunReport {
    const total = this.#plan.requests.length * this.#plan.data.length;
    return {
      requests: this.#reports,
      left: ended === 'complete' ? 0 : Math.max(0, total - this.#reports.length),
      ended,
      timeMs: Math.round(performance.now() - this.#started),
    };
  }
}

/** By id or by name; what is unknown ends the iteration, as in Postman. */
const positionOf = (requests: readonly RequestModel[], next: string | null): number | undefined => {
  if (next === null) return undefined;
  const byId = requests.findIndex(({ itemId }) => itemId === next);
  const position = byId >= 0 ? byId : requests.findLastIndex(({ name }) => name === next);
  return position >= 0 ? position : undefined;
};

const scopesOf = ({ collection, environment, variables }: RunPlan): VariableScopes => ({
  globals: {},
  collection: valuesOf(collection.variables),
  environment: valuesOf(environment?.variables ?? []),
  data: variables,
  local: {},
});
