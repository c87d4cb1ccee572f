import type { CheckReport, CheckResult } from '@plugboard/contract';
import { NoAnswer, Unreachable } from '../../connection/no-answer.js';
import { reportOf } from '../../outcome/report-of.js';
import type { FailOn } from '../../target/target.js';
import { acceptanceChecks } from './acceptance.js';
import type { AdaptedTool } from '../adapted-tool.js';
import { ASKS } from '../ask.js';
import { BATCH_CHECKS } from '../checks/batches.js';
import { COMPLETION_CHECKS } from '../checks/completions.js';
import { CONFIGURATION_CHECKS } from '../checks/configuration.js';
import { ERROR_CHECKS } from '../checks/errors.js';
import { FEATURE_CHECKS } from '../checks/features.js';
import { ROBUSTNESS_CHECKS } from '../checks/robustness.js';
import { STREAMING_CHECKS } from '../checks/streaming.js';
import { STRUCTURED_OUTPUT_CHECKS } from '../checks/structured-output.js';
import { TOOL_CALL_CHECKS } from '../checks/tool-calls.js';
import { fail, type Finding, type LlmCheck } from '../probe/llm-check.js';
import { LlmProbe, NoControl } from '../probe/llm-probe.js';
import { resultOf } from './result-of.js';
import type { LlmTarget } from '../target.js';
import type { SendOptions } from '../wire/send.js';
import { isObject } from '../../connection/json.js';
import { type Mask, secretMask } from '../../target/mask-secrets.js';

export interface LlmRunOptions {
  readonly failOn: FailOn;
  readonly version: string;
  /** Tools that the provider itself must accept. */
  readonly tools?: readonly AdaptedTool[];
  readonly signal?: AbortSignal | undefined;
  readonly fetch?: typeof fetch | undefined;
  /** Before each check: how many are done, how many there are, and which is next. */
  readonly onProgress?: ((done: number, planned: number, id: string) => void) | undefined;
  readonly onResult?: ((result: CheckResult, done: number) => void) | undefined;
}

/** In the order of a report. */
export const LLM_CHECKS: readonly LlmCheck[] = [
  ...CONFIGURATION_CHECKS,
  ...COMPLETION_CHECKS,
  ...STREAMING_CHECKS,
  ...TOOL_CALL_CHECKS,
  ...STRUCTURED_OUTPUT_CHECKS,
  ...ERROR_CHECKS,
  ...BATCH_CHECKS,
  ...FEATURE_CHECKS,
  ...ROBUSTNESS_CHECKS,
];

type Trouble = NonNullable<Parameters<typeof reportOf>[0]['trouble']>;

/** A refused control says nothing about the rule: the request in its good form does not work here. */
const judged = async (check: LlmCheck, probe: LlmProbe): Promise<Finding> => {
  try {
    return await check.judge(probe);
  } catch (error) {
    if (error instanceof NoControl) {
      return {
        verdict: 'not-verified',
        detail: `${error.message} ${probe.dialect.errorOf(error.exchange.json)?.message ?? ''}`.trim(),
        supply: 'Choose a model that supports this, or allow it for the key.',
      };
    }
    if (error instanceof NoAnswer) return fail(error.message, 'an answer in time');
    throw error;
  }
};

/** A failure counts when it happens again in a fresh conversation: models do not answer alike twice. */
const verdictOf = async (check: LlmCheck, probe: LlmProbe, fresh: () => LlmProbe): Promise<Finding | 'once'> => {
  const first = await judged(check, probe);
  if (first.verdict !== 'fail') return first;
  const second = await judged(check, fresh());
  return second.verdict === 'fail' ? second : 'once';
};

/** Older endpoints know only `max_tokens`, and say so with status 400. */
const limitFieldOf = async (target: LlmTarget, options: SendOptions): Promise<LlmTarget> => {
  if (target.api !== 'openai-chat') return target;
  const first = await new LlmProbe(target, options).ask(ASKS.plain);
  if (first.status !== 400) return target;
  const older = { ...target, limitField: 'max_tokens' } as const;
  return (await new LlmProbe(older, options).ask(ASKS.plain)).status === 200 ? older : target;
};

/** Why the endpoint cannot be examined; undefined when it answers. */
const troubleWith = async (probe: LlmProbe): Promise<Trouble | undefined> => {
  const { status, json } = await probe.ask(ASKS.plain);
  if (status === 200) return undefined;
  const said = probe.dialect.errorOf(json)?.message.replace(/\.$/u, '');
  const hint = status === 401 || status === 403 ? ' Check the key and what it may use.' : '';
  return {
    outcome: 'not-examined',
    reason: `The endpoint answers a valid request with status ${status}${said === undefined ? '' : `: ${said}`}.${hint}`,
  };
};

const carryOut = async (
  target: LlmTarget,
  { signal, fetch: fetched, tools = [], onProgress, onResult }: LlmRunOptions,
): Promise<{ readonly results: readonly CheckResult[]; readonly trouble?: Trouble }> => {
  const results: CheckResult[] = [];
  try {
    const options = { signal, fetch: fetched };
    const known = await limitFieldOf(target, options);
    const fresh = (): LlmProbe => new LlmProbe(known, options);
    const trouble = await troubleWith(fresh());
    if (trouble !== undefined) return { results, trouble };
    const probe = fresh();
    const checks = [...LLM_CHECKS, ...acceptanceChecks(tools)];
    for (const [done, check] of checks.entries()) {
      onProgress?.(done, checks.length, check.id);
      const began = performance.now();
      const finding = await verdictOf(check, probe, fresh);
      if (signal?.aborted === true) return { results, trouble: { outcome: 'not-examined', reason: 'Cancelled.' } };
      const ms = performance.now() - began;
      const result = resultOf(check, finding, { target: known, dialect: probe.dialect, ms });
      results.push(result);
      onResult?.(result, done + 1);
    }
    return { results };
  } catch (error) {
    if (!(error instanceof Unreachable) && !(error instanceof NoAnswer)) throw error;
    return {
      results,
      trouble: { outcome: error instanceof Unreachable ? 'unreachable' : 'not-examined', reason: error.message },
    };
  }
};

/** An endpoint may echo a key as it is, in Base64, in hexadecimal, or as it stands in a URL. */
const spellings = (secret: string): readonly string[] => {
  const bytes = Buffer.from(secret);
  const base64 = bytes.toString('base64').replace(/=+$/u, '');
  return [secret, encodeURIComponent(secret), base64, bytes.toString('base64url'), bytes.toString('hex')];
};

const maskIn = (value: unknown, mask: Mask): unknown => {
  if (typeof value === 'string') return mask(value);
  if (Array.isArray(value)) return value.map((item) => maskIn(item, mask));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, maskIn(member, mask)]));
};

/** The report without the secrets of the target, wherever the endpoint put them. */
const maskReport = (report: CheckReport, { key, aws }: LlmTarget): CheckReport => {
  const secrets = [key, aws?.secretAccessKey, aws?.sessionToken].filter((secret) => secret !== undefined);
  const mask = secretMask({ headers: {}, env: {} }, secrets.flatMap(spellings));
  return maskIn(report, mask) as CheckReport;
};

/** Examines an endpoint of a provider of models. */
export const runLlmChecks = async (target: LlmTarget, options: LlmRunOptions): Promise<CheckReport> => {
  const startedAt = new Date();
  const began = performance.now();
  const { results, trouble } = await carryOut(target, options);
  const report = reportOf({
    kind: 'llm',
    label: `${target.model} at ${target.url}`,
    version: options.version,
    startedAt,
    durationMs: performance.now() - began,
    failOn: options.failOn,
    results,
    trouble,
  });
  return maskReport(report, target);
};
