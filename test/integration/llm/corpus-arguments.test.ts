import { runAgent, toolsFromCalls, userText } from '@plugboard/agent';
import { isJsonObject } from '@plugboard/base';
import type { ToolDefinition } from '@plugboard/contract';
import {
  adaptArguments,
  adaptList,
  isAccepted,
  type ProfileId,
  restoreArguments,
  validateArguments,
} from '@plugboard/schema';
import type { LlmApi } from '@plugboard/testing/llm';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { APIS, MODELS, settingOf } from '../../../packages/agent/src/test-support/memory-providers.js';
import { argumentsFor } from '../../../packages/schema/src/adapt/value-arbitrary.contract.js';
import { profileJudge } from '../../support/profile-judge.js';
import { corpusServers } from '../../support/tool-corpus.js';

const servers = await corpusServers();
const SEED = 20;
const SAMPLES = 2;
/** Rules that an adaptation leaves out, such as a shortest length, are met by chance. */
const ADAPTED_SAMPLES = 40;
const MOST_TOOLS = 100;

const PROFILES_OF: Readonly<Record<LlmApi, readonly ProfileId[]>> = {
  'openai-chat': ['openai', 'openai-strict'],
  'openai-responses': ['openai', 'openai-strict'],
  anthropic: ['anthropic', 'anthropic-strict'],
  bedrock: ['bedrock'],
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

/** Values that the schema accepts, and that came from JSON. */
const findArguments = (schema: unknown, numRuns: number, suits: (value: Args) => boolean): Args | undefined =>
  [...samples(schema, numRuns), {}]
    .map((value) => JSON.parse(JSON.stringify(value)) as unknown)
    .find(
      (value): value is Args =>
        isJsonObject(value) &&
        !/\\ud[89a-f]/iu.test(JSON.stringify(value)) &&
        validateArguments(schema, value).ok &&
        suits(value),
    );

const originals = new Map<ToolDefinition, Args | undefined>();

/** The same for every provider. */
const originalFor = (tool: ToolDefinition): Args | undefined => {
  if (!originals.has(tool)) {
    originals.set(
      tool,
      findArguments(tool.inputSchema, SAMPLES, () => true),
    );
  }
  return originals.get(tool);
};

interface Planned {
  readonly definition: ToolDefinition;
  /** What the model sends. */
  readonly sent: unknown;
  /** What must reach the server; undefined: anything that the server's own schema accepts. */
  readonly original: Args | undefined;
}

interface Plan {
  readonly planned: readonly Planned[];
  /** Tools that the provider cannot be given, or that no arguments were found for. */
  readonly rejected: readonly string[];
  readonly without: readonly string[];
}

/** Arguments for every tool. An adaptation that is narrower than the original is asked for a value of its own. */
const planFor = (listed: readonly ToolDefinition[], profile: ProfileId): Plan => {
  const [planned, rejected, without]: [Planned[], string[], string[]] = [[], [], []];
  const { tools, findings } = adaptList(listed, profile);
  const isTaken = isAccepted(findings);
  for (const [at, { plan, changes, verdict, definition: adapted }] of tools.entries()) {
    const definition = listed[at];
    if (definition === undefined) continue;
    const isNarrower = changes.some(({ effect }) => effect === 'narrower');
    const original = isNarrower ? undefined : originalFor(definition);
    const sent =
      original === undefined
        ? findArguments(adapted.inputSchema, ADAPTED_SAMPLES, (value) => restoreArguments(plan, value).ok)
        : adaptArguments(plan, original);
    if (verdict === 'rejected' || !isTaken) rejected.push(definition.name);
    else if (sent === undefined) without.push(definition.name);
    else planned.push({ definition, sent, original });
  }
  return { planned, rejected, without };
};

/** Lets a model call each of these tools once, and compares what reached the server. */
const callAll = async (api: LlmApi, profile: ProfileId, listed: readonly ToolDefinition[]): Promise<Plan> => {
  const { provider, model, double } = settingOf(api, { judge: profileJudge, models: { [MODELS[api]]: {} } });
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
  double.next({ text: 'Now.', toolCalls }, { text: 'Done.' });
  const messages = [userText('Call all of them.')];
  for await (const event of runAgent({ provider, model, tools, messages })) {
    if (event.type === 'tool-result') expect(event).toMatchObject({ name: event.name, kind: 'result' });
  }
  expect(double.refusals).toEqual([]);
  for (const { definition, original } of plan.planned) {
    const args = reached.get(definition.name);
    const fits = original === undefined ? validateArguments(definition.inputSchema, args) : { ok: true };
    expect({ name: definition.name, args, fits: fits.ok }).toEqual({
      name: definition.name,
      args: original ?? args,
      fits: true,
    });
  }
  return plan;
};

test.each(APIS.flatMap((api) => PROFILES_OF[api].map((profile) => [api, profile] as const)))(
  '%s with the profile %s: every tool is accepted, and its server gets arguments in the original form',
  async (api, profile) => {
    const total = { tools: 0, called: 0, exactly: 0, rejected: 0, without: [] as string[] };
    for (const { tools } of servers) {
      const unique = [...new Map(tools.map((tool) => [tool.name, tool])).values()];
      total.tools += unique.length;
      const most = profile === 'anthropic-strict' ? 1 : MOST_TOOLS;
      for (let at = 0; at < unique.length; at += most) {
        const { planned, rejected, without } = await callAll(api, profile, unique.slice(at, at + most));
        total.called += planned.length;
        total.exactly += planned.filter(({ original }) => original !== undefined).length;
        total.rejected += rejected.length;
        total.without.push(...without);
      }
    }
    expect(total.called + total.rejected + total.without.length).toBe(total.tools);
    // Its one required argument has an empty enum.
    expect(total.without).toEqual(['netlify-coding-rules']);
    expect(total.exactly).toBeGreaterThan(total.called * 0.95);
    expect(total.rejected).toBeLessThanOrEqual(profile === 'anthropic-strict' ? 25 : 0);
  },
  300_000,
);
