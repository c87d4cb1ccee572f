import { CollectionError } from '../collections-error.js';
import type { CollectionModel, EnvironmentModel, RequestModel } from '../library/collection-model.js';
import type { ScriptRunner } from '../script/script-runner.js';
import { CookieJar } from '../send/cookie-jar.js';
import type { SendRequest } from '../send/send-request.js';
import type { TargetPolicy } from '../send/target-policy.js';
import type { Expectations } from './expectations.js';
import type { RequestReport } from './request-report.js';
import { runRequest } from './run-request.js';
import { valuesOf, type Values, type VariableScopes } from './variable-scopes.js';

export interface RunnerOptions {
  readonly policy: TargetPolicy;
  readonly scripts: Pick<ScriptRunner, 'run'>;
  readonly sendRequest: SendRequest;
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
  readonly ended: 'complete' | 'bail' | 'time';
  readonly timeMs: number;
}

/** Runs requests one after the other, as their collection has them. */
export class CollectionRunner {
  readonly #options: RunnerOptions;

  constructor(options: RunnerOptions) {
    this.#options = options;
  }

  async run(plan: RunPlan): Promise<RunReport> {
    const started = performance.now();
    const timeMs = (): number => Math.round(performance.now() - started);
    const deadline = started + this.#options.runMs;
    const total = plan.requests.length * plan.data.length;
    const cookies = new CookieJar();
    const reports: RequestReport[] = [];
    const finish = (ended: RunReport['ended']): RunReport => ({
      requests: reports,
      left: total - reports.length,
      ended,
      timeMs: timeMs(),
    });
    let scopes = scopesOf(plan);
    for (const [iteration, data] of plan.data.entries()) {
      scopes = { ...scopes, local: { ...plan.variables, ...data } };
      for (const model of plan.requests) {
        if (plan.signal?.aborted === true) throw new CollectionError('CANCELLED');
        const left = deadline - performance.now();
        if (left <= 0) return finish('time');
        const { maxBodyBytes, policy, requestMs, scripts, sendRequest } = this.#options;
        const send = {
          policy,
          cookies,
          maxBodyBytes,
          timeMs: Math.ceil(Math.min(requestMs, left)),
          signal: plan.signal,
        };
        const result = await runRequest({
          model,
          scopes,
          iteration,
          expected: plan.expected,
          send,
          sendRequest,
          scripts,
        });
        scopes = result.scopes;
        reports.push(result.report);
        plan.onRequest?.(reports.length, total, result.report);
        if (plan.bail && result.report.outcome !== 'passed') return finish('bail');
      }
    }
    return finish('complete');
  }
}

const scopesOf = ({ collection, environment, variables }: RunPlan): VariableScopes => ({
  globals: {},
  collection: valuesOf(collection.variables),
  environment: valuesOf(environment?.variables ?? []),
  local: variables,
});
