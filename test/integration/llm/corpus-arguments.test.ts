import { isDeepStrictEqual } from 'node:util';
import { GoogleGenAI } from '@google/genai';
import { type AgentTools, runAgent, toolsFromCalls, userText } from '@plugboard/agent';
import { isJsonObject } from '@plugboard/base';
import type { ToolDefinition } from '@plugboard/contract';
import {
  type Adaptation,
  adaptArguments,
  fitList,
  type ProfileId,
  restoreArguments,
  validateArguments,
} from '@plugboard/schema';
import { DOUBLE_KEY, llmDouble, type TurnSource } from '@plugboard/testing/llm';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { askGemini } from '../../../examples/agents/gemini.js';
import {
  APIS,
  MODELS,
  type ProviderApi,
  settingOf,
} from '../../../packages/agent/src/test-support/memory-providers.js';
import { argumentsFor } from '../../../packages/schema/src/adapt/value-arbitrary.contract.js';
import { profileJudge } from '../../support/profile-judge.js';
import { TOO_LARGE_FOR_STRICT } from '../../support/too-large-for-strict.js';
import { corpusServers } from '../../support/tool-corpus.js';

const servers = await corpusServers();
const SEED = 20;
const SAMPLES = 2;
/** Rules that the arguments must meet by chance, such as a pattern or a shortest length. */
const MORE_SAMPLES = 60;
const MOST_TOOLS = 100;

/** There is no provider for Gemini: its own SDK asks, with the adapter. */
type CorpusApi = ProviderApi | 'gemini';

const PROFILES_OF: Readonly<Record<CorpusApi, readonly ProfileId[]>> = {
  'openai-chat': ['openai', 'openai-strict'],
  'openai-responses': ['openai', 'openai-strict'],
  anthropic: ['anthropic', 'anthropic-strict'],
  bedrock: ['bedrock'],
  gemini: ['gemini'],
};

/** No value fits some schemas of the corpus, such as one with an empty enum. */
const samples = (schema: unknown, numRuns: number): readonly unknown[] => {
  try {
    return fc.sample(argumentsFor(schema), { numRuns, seed: SEED });
  } catch {
    return [];
  }
};

type Args = Readonly<Record<string, unknown>>;

/** Arguments that came from JSON, and that the schema of the server accepts. */
const candidates = (tool: ToolDefinition, numRuns: number): readonly Args[] =>
  [...samples(tool.inputSchema, numRuns), {}]
    .map((value) => JSON.parse(JSON.stringify(value)) as unknown)
    .filter(
      (value): value is Args =>
        isJsonObject(value) &&
        !/\\ud[89a-f]/iu.test(JSON.stringify(value)) &&
        validateArguments(tool.inputSchema, value).ok,
    );

/** A server with schemas that nobody can check; these arguments are what they seem to mean. */
const BROKEN_ARGUMENTS: Readonly<Record<string, Args>> = { broken_list_as_properties: { text: 'a' } };

const known = new Map<ToolDefinition, readonly Args[]>();

/** The same for every provider. */
const originalsOf = (tool: ToolDefinition, isEnough: (value: Args) => boolean): Args | undefined => {
  const first = known.get(tool) ?? [...candidates(tool, SAMPLES), ...[BROKEN_ARGUMENTS[tool.name] ?? []].flat()];
  known.set(tool, first);
  return first.find(isEnough) ?? candidates(tool, MORE_SAMPLES).find(isEnough);
};

interface Planned {
  readonly definition: ToolDefinition;
  /** What the model sends. */
  readonly sent: unknown;
  /** What must reach the server. */
  readonly original: Args;
}

interface Plan {
  readonly planned: readonly Planned[];
  /** Tools that the provider cannot be given, or that no arguments were found for. */
  readonly rejected: readonly string[];
  readonly without: readonly string[];
  /** How many tools follow strict rules, and with how many some arguments cannot be said. */
  readonly strict: number;
  readonly narrowed: number;
}

/**
 * The rewrites after which some arguments cannot be said any more, and which ones. Tools with one of them get arguments that
 * can be said; every other tool gets back any arguments that its server accepts.
 */
const NARROWER: Readonly<Record<string, string>> = {
  'optional-to-nullable': 'null for an optional parameter, which means here that it is omitted',
  'map-to-entries': 'a value of one alternative that has the shape of another',
  'rename-key': 'a value of one alternative that has the shape of another',
};

/** How many tools have one. */
const NARROWED: Partial<Readonly<Record<ProfileId, number>>> = {
  anthropic: 3,
  'anthropic-strict': 11,
  gemini: 11,
  'openai-strict': 45,
};

const isNarrower = ({ changes }: Adaptation): boolean => changes.some(({ effect }) => effect === 'narrower');

/** Can a model with this schema say these arguments? */
const canBeSaid = (adapted: Adaptation, original: Args): boolean => {
  const { plan, definition } = adapted;
  const sent = adaptArguments(plan, original);
  if (!validateArguments(definition.inputSchema, sent).ok) return false;
  const restored = isNarrower(adapted) ? restoreArguments(plan, sent) : undefined;
  return restored === undefined || (restored.ok && isDeepStrictEqual(restored.args, original));
};

/** Arguments for every tool, which a model can say in the schema that it is shown. */
const planFor = (listed: readonly ToolDefinition[], profile: ProfileId): Plan => {
  const [planned, rejected, without]: [Planned[], string[], string[]] = [[], [], []];
  const { tools } = fitList(listed, profile);
  for (const [at, adapted] of tools.entries()) {
    const { plan, verdict, changes } = adapted;
    const definition = listed[at];
    if (definition === undefined) continue;
    expect(changes.filter(({ effect, rule }) => effect === 'narrower' && NARROWER[rule] === undefined)).toEqual([]);
    const original = originalsOf(definition, (value) => canBeSaid(adapted, value));
    if (verdict === 'rejected') rejected.push(definition.name);
    else if (original === undefined) without.push(definition.name);
    else planned.push({ definition, sent: adaptArguments(plan, original), original });
  }
  const strict = tools.filter(({ plan }) => plan.profile.endsWith('-strict')).length;
  return { planned, rejected, without, strict, narrowed: tools.filter(isNarrower).length };
};

interface Player {
  readonly double: { next(...turns: readonly TurnSource[]): unknown; readonly refusals: readonly string[] };
  /** Asks the model until it makes no more calls; each call must have a result. */
  readonly play: (tools: AgentTools) => Promise<void>;
  readonly close: () => Promise<void>;
}

const providerPlayer = (api: ProviderApi): Player => {
  const { provider, model, double } = settingOf(api, { judge: profileJudge, models: { [MODELS[api]]: {} } });
  const messages = [userText('Call all of them.')];
  const play = async (tools: AgentTools): Promise<void> => {
    for await (const event of runAgent({ provider, model, tools, messages })) {
      if (event.type === 'tool-result') expect(event).toMatchObject({ name: event.name, kind: 'result' });
    }
  };
  return { double, play, close: () => Promise.resolve() };
};

const geminiPlayer = async (): Promise<Player> => {
  const model = 'gemini-double';
  const double = await llmDouble({ judge: profileJudge, models: { [model]: {} } });
  const client = new GoogleGenAI({ apiKey: DOUBLE_KEY, httpOptions: { baseUrl: double.url } });
  const play = async (tools: AgentTools): Promise<void> => {
    expect(await askGemini(client, model, tools, 'Call all of them.')).toBe('Done.');
    expect(new Set(double.requests.at(-1)?.toolResults)).toEqual(new Set(['ok']));
  };
  return { double, play, close: () => double.close() };
};

/** Lets a model call each of these tools once, and compares what reached the server. */
const callAll = async (api: CorpusApi, profile: ProfileId, listed: readonly ToolDefinition[]): Promise<Plan> => {
  const plan = planFor(listed, profile);
  const reached = new Map<string, unknown>();
  const found = plan.planned.map(({ definition }) => ({
    server: 'one',
    definition,
    call: async (args: Args) => {
      reached.set(definition.name, args);
      return { content: [{ type: 'text' as const, text: 'ok' }] };
    },
  }));
  if (found.length === 0) return plan;
  const tools = toolsFromCalls(found, { provider: profile });
  expect(tools.rejected).toEqual([]);
  const toolCalls = plan.planned.map(({ sent }, at) => ({
    name: tools.tools[at]?.name ?? '',
    arguments: sent as object,
  }));
  const { double, play, close } = api === 'gemini' ? await geminiPlayer() : providerPlayer(api);
  try {
    double.next({ text: 'Now.', toolCalls }, { text: 'Done.' });
    await play(tools);
    expect(double.refusals).toEqual([]);
  } finally {
    await close();
  }
  for (const { definition, original } of plan.planned) {
    expect({ name: definition.name, args: reached.get(definition.name) }).toEqual({
      name: definition.name,
      args: original,
    });
  }
  return plan;
};

test.each(([...APIS, 'gemini'] as const).flatMap((api) => PROFILES_OF[api].map((profile) => [api, profile] as const)))(
  '%s with the profile %s: every tool is accepted, and its server gets arguments in the original form',
  async (api, profile) => {
    const total = { tools: 0, called: 0, strict: 0, narrowed: 0, rejected: [] as string[], without: [] as string[] };
    for (const { tools } of servers) {
      const unique = [...new Map(tools.map((tool) => [tool.name, tool])).values()];
      total.tools += unique.length;
      const most = profile === 'anthropic-strict' ? 1 : MOST_TOOLS;
      for (let at = 0; at < unique.length; at += most) {
        const { planned, rejected, without, strict, narrowed } = await callAll(
          api,
          profile,
          unique.slice(at, at + most),
        );
        total.called += planned.length;
        total.strict += strict;
        total.narrowed += narrowed;
        total.rejected.push(...rejected);
        total.without.push(...without);
      }
    }
    expect(total.rejected).toEqual([]);
    // Its one required argument has an empty enum: no arguments exist.
    expect(total.without).toEqual(['netlify-coding-rules']);
    expect(total.called).toBe(total.tools - 1);
    expect(total.narrowed).toBe(NARROWED[profile] ?? 0);
    const tooLarge = profile === 'anthropic-strict' ? Object.keys(TOO_LARGE_FOR_STRICT).length : 0;
    expect(total.strict).toBe(profile.endsWith('-strict') ? total.tools - tooLarge : 0);
  },
  300_000,
);
