import { definedMembers } from '@plugboard/base';
import { checkTarget, parseThreshold, type CheckTarget } from '@plugboard/check';
import { loadPlan, loadScenario, type LoadPlan, type LoadScenario } from '@plugboard/contract';
import { refuse } from '../command/invalid-argument.js';
import type { CommandContext } from '../command/command-context.js';
import { readDirectTarget } from '../check/check-target.js';
import { secondsIn, withDefaultTarget, withTimeout } from '../server-flags/framework-environment.js';
import type { BenchInput } from './bench.js';
import { didYouMean } from '../../terminal/did-you-mean.js';
import { calledTool } from './called-tool.js';

const scenarios = (names: readonly string[]): readonly LoadScenario[] =>
  names
    .flatMap((text) => text.split(','))
    .filter(Boolean)
    .map((name) => {
      const parsed = loadScenario.safeParse(name);
      if (parsed.success) return parsed.data;
      return refuse(
        `"${name}" is not a scenario.`,
        didYouMean(name, loadScenario.options, `Known: ${loadScenario.options.join(', ')}.`),
      );
    });

/** `metric:expression`, checked before anything is sent. */
const thresholds = (texts: readonly string[]): LoadPlan['thresholds'] => {
  const found: Record<string, string[]> = {};
  for (const text of texts) {
    const at = text.indexOf(':');
    if (at === -1) refuse(`"${text}" is not a threshold.`, "Write it like this: --threshold 'call_duration:p(95)<200'");
    const { metric, expression } = parseThreshold(text.slice(0, at).trim(), text.slice(at + 1));
    found[metric] = [...(found[metric] ?? []), expression];
  }
  return found;
};

/** Flags count more than the environment, and the environment more than the file. */
export const readBenchTarget = async (context: CommandContext, input: BenchInput): Promise<CheckTarget> => {
  const { env } = context.process;
  const target = await readDirectTarget(context, withDefaultTarget(input.address, env));
  const fromEnvironment = definedMembers({
    seconds: secondsIn(env, 'LOAD_TEST_DURATION'),
    stepSeconds: secondsIn(env, 'STRESS_TEST_DURATION'),
  });
  const flags = definedMembers({
    call: input.tool === undefined ? undefined : calledTool('--tool', input.tool),
    slowCall: input.slow === undefined ? undefined : calledTool('--slow', input.slow),
    scenarios: input.scenario.length === 0 ? undefined : scenarios(input.scenario),
    concurrency: input.concurrency,
    workers: input.workers,
    rate: input.rate,
    seconds: input.duration,
    warmUpSeconds: input.warmUp,
    stepSeconds: input.step,
    connections: input.connections,
    preset: input.preset,
  });
  const load = loadPlan.parse({
    ...target.load,
    ...fromEnvironment,
    ...flags,
    thresholds: { ...target.load?.thresholds, ...thresholds(input.threshold) },
  });
  const budgets = withTimeout(target.budgets, env, input.timeout);
  return checkTarget.parse({ ...target, era: input.era ?? target.era, budgets, load });
};
