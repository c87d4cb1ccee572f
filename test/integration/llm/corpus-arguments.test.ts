import { runAgent, toolsFromCalls, userText } from '@plugboard/agent';
import { isJsonObject } from '@plugboard/base';
import type { ToolDefinition } from '@plugboard/contract';
import { adaptArguments, adaptList, type ProfileId, validateArguments } from '@plugboard/schema';
import type { LlmApi } from '@plugboard/testing/llm';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { APIS, MODELS, settingOf } from '../../../packages/agent/src/test-support/memory-providers.js';
import { argumentsFor } from '../../../packages/schema/src/adapt/value-arbitrary.contract.js';
import { profileJudge } from '../../support/profile-judge.js';
import { corpusServers } from '../../support/tool-corpus.js';

const servers = await corpusServers();
const SEED = 20;
const MOST_TOOLS = 100;

const PROFILE_OF: Readonly<Record<LlmApi, ProfileId>> = {
  'openai-chat': 'openai',
  'openai-responses': 'openai-strict',
  anthropic: 'anthropic',
  bedrock: 'bedrock',
};

/** No value fits some schemas of the corpus, such as one with an empty enum. */
const samples = (schema: unknown): readonly unknown[] => {
  try {
    return fc.sample(argumentsFor(schema), { numRuns: 2, seed: SEED });
  } catch {
    return [];
  }
};

type Args = Readonly<Record<string, unknown>>;

/** Arguments that the server's own schema accepts, and that came from JSON. */
const findOriginal = (schema: unknown): Args | undefined =>
  samples(schema)
    .map((value) => JSON.parse(JSON.stringify(value)) as unknown)
    .find(
      (value): value is Args =>
        isJsonObject(value) && !/\\ud[89a-f]/iu.test(JSON.stringify(value)) && validateArguments(schema, value).ok,
    );

const originals = new Map<ToolDefinition, Args | undefined>();

/** The same for every provider. */
const originalFor = (tool: ToolDefinition): Args | undefined => {
  if (!originals.has(tool)) originals.set(tool, findOriginal(tool.inputSchema));
  return originals.get(tool);
};

/** Tools whose schema was changed for the provider, and one that was not: nothing is mapped back for those. */
const interesting = (listed: readonly ToolDefinition[], profile: ProfileId) =>
  adaptList(listed, profile).tools.flatMap(({ plan, changes, verdict }, at) => {
    const definition = listed[at];
    // An adaptation that says so cannot carry every value of the original.
    const isNarrower = changes.some(({ effect }) => effect === 'narrower');
    if (definition === undefined || verdict === 'rejected' || isNarrower) return [];
    if (verdict !== 'rewritten' && at > 0) return [];
    const original = originalFor(definition);
    return original === undefined ? [] : [{ definition, original, adapted: adaptArguments(plan, original) }];
  });

/** Lets a model call each of these tools once, and compares what reached the server. */
const callAll = async (api: LlmApi, profile: ProfileId, listed: readonly ToolDefinition[]): Promise<number> => {
  const { provider, model, double } = settingOf(api, { judge: profileJudge, models: { [MODELS[api]]: {} } });
  const planned = interesting(listed, profile);
  const reached = new Map<string, unknown>();
  const found = planned.map(({ definition }) => ({
    server: 'one',
    definition,
    call: async (args: Args) => {
      reached.set(definition.name, args);
      return { content: [{ type: 'text' as const, text: 'ok' }] };
    },
  }));
  const tools = toolsFromCalls(found, { provider: profile });
  expect(tools.rejected).toEqual([]);
  const toolCalls = planned.map(({ adapted }, at) => ({
    name: tools.tools[at]?.name ?? '',
    arguments: adapted as object,
  }));
  double.next({ text: 'Now.', toolCalls }, { text: 'Done.' });
  const messages = [userText('Call all of them.')];
  for await (const event of runAgent({ provider, model, tools, messages })) {
    if (event.type === 'tool-result') expect({ name: event.name, kind: event.kind }).toMatchObject({ kind: 'result' });
  }
  expect(double.refusals).toEqual([]);
  for (const { definition, original } of planned) expect(reached.get(definition.name)).toEqual(original);
  return planned.length;
};

test.each(APIS.map((api) => [api, PROFILE_OF[api]] as const))(
  '%s with the profile %s: tools that were adapted are accepted, and their servers get arguments in the original form',
  async (api, profile) => {
    let called = 0;
    for (const { tools } of servers) {
      const unique = [...new Map(tools.map((tool) => [tool.name, tool])).values()];
      for (let at = 0; at < unique.length; at += MOST_TOOLS) {
        called += await callAll(api, profile, unique.slice(at, at + MOST_TOOLS));
      }
    }
    expect(called).toBeGreaterThan(servers.length / 2);
  },
  300_000,
);
