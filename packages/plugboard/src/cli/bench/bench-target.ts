import { checkTarget, parseThreshold, type CheckTarget } from '@plugboard/check';
import { nearest } from '@plugboard/base';
import { loadPlan, loadScenario, PlugboardError, type LoadPlan, type LoadScenario } from '@plugboard/contract';
import type { CommandContext } from '../command/command-context.js';
import { readDirectTarget, type CheckTargetFlags } from '../check/check-target.js';
import type { BenchInput } from './bench.js';

type Environment = CommandContext['process']['env'];

const refuse = (message: string, hint: string): never => {
  throw new PlugboardError('INVALID_ARGUMENT', message, { hint });
};

/** A positive number of seconds in the environment. */
const secondsIn = (env: Environment, name: string): number | undefined => {
  const text = env[name];
  if (text === undefined || text === '') return undefined;
  const seconds = Number(text);
  return Number.isFinite(seconds) && seconds > 0
    ? seconds
    : refuse(`${name} is not a number of seconds: "${text}".`, `Set ${name} to a number such as 30, or unset it.`);
};

/** Where the framework expects its servers; an address without a path means its MCP endpoint. */
const defaultUrl = (env: Environment): string | undefined => {
  const given = env['MCP_GATEWAY_URL'] ?? env['DOCLING_MCP_URL'];
  if (given === undefined || given === '' || !URL.canParse(given)) return undefined;
  const url = new URL(given);
  if (url.pathname === '/') url.pathname = '/mcp';
  return url.href;
};

const withDefault = (address: CheckTargetFlags, env: Environment): CheckTargetFlags => {
  if (address.target.length > 0) return address;
  const url = defaultUrl(env);
  return url === undefined ? address : { ...address, target: [url] };
};

/** `name`, or `name={"json":"arguments"}`. */
const calledTool = (flag: string, text: string): NonNullable<LoadPlan['call']> => {
  const at = text.indexOf('=');
  if (at === -1) return { tool: text };
  const tool = text.slice(0, at);
  try {
    return { tool, arguments: JSON.parse(text.slice(at + 1)) as Record<string, unknown> };
  } catch {
    return refuse(`The arguments for ${tool} are not JSON.`, `${flag} '${tool}={"key":"value"}'`);
  }
};

const scenarios = (names: readonly string[]): readonly LoadScenario[] =>
  names
    .flatMap((text) => text.split(','))
    .filter(Boolean)
    .map((name) => {
      const parsed = loadScenario.safeParse(name);
      if (parsed.success) return parsed.data;
      const near = nearest(name, loadScenario.options);
      return refuse(
        `"${name}" is not a scenario.`,
        `${near === undefined ? '' : `Did you mean "${near}"? `}Known: ${loadScenario.options.join(', ')}.`,
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

const given = <T extends object>(values: T): Partial<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;

/** Flags count more than the environment, and the environment more than the file. */
export const readBenchTarget = async (context: CommandContext, input: BenchInput): Promise<CheckTarget> => {
  const { env } = context.process;
  const target = await readDirectTarget(context, withDefault(input.address, env));
  const fromEnvironment = given({
    seconds: secondsIn(env, 'LOAD_TEST_DURATION'),
    stepSeconds: secondsIn(env, 'STRESS_TEST_DURATION'),
  });
  const flags = given({
    call: input.tool === undefined ? undefined : calledTool('--tool', input.tool),
    slowCall: input.slow === undefined ? undefined : calledTool('--slow', input.slow),
    scenarios: input.scenario.length === 0 ? undefined : scenarios(input.scenario),
    concurrency: input.concurrency,
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
  const timeout = input.timeout ?? secondsIn(env, 'TEST_TIMEOUT');
  const budgets = timeout === undefined ? target.budgets : { ...target.budgets, requestMs: Math.ceil(timeout * 1_000) };
  return checkTarget.parse({ ...target, era: input.era ?? target.era, budgets, load });
};
