import { describe, expect, test } from 'vitest';
import { checkAgainstProfile, isAccepted } from '../profile/check-against-profile.js';
import { PROFILES } from '../profile/registry.js';
import { fitList, refitTool } from './fit-list.js';

const optional = (count: number): Readonly<Record<string, unknown>> => ({
  type: 'object',
  properties: Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, { type: 'string' }])),
});

const tool = (name: string, optionalParameters: number) => ({ name, inputSchema: optional(optionalParameters) });

const profilesOf = (tools: Parameters<typeof fitList>[0]): readonly string[] =>
  fitList(tools, 'anthropic-strict').tools.map(({ plan }) => plan.profile);

describe('a list for a strict provider', () => {
  test('all tools are strict as long as they fit together', () => {
    expect(profilesOf([tool('a', 12), tool('b', 12)])).toEqual(['anthropic-strict', 'anthropic-strict']);
  });

  test('a tool that is too large for strict rules follows the others', () => {
    const { verdict, tools, findings } = fitList([tool('huge', 25), tool('small', 1)], 'anthropic-strict');
    expect(tools.map(({ plan }) => plan.profile)).toEqual(['anthropic', 'anthropic-strict']);
    expect({ verdict, findings }).toEqual({ verdict: 'rewritten', findings: [] });
  });

  test('what exceeds the total of a request is not strict; smaller tools behind it are', () => {
    expect(profilesOf([tool('a', 20), tool('b', 5), tool('c', 4)])).toEqual([
      'anthropic-strict',
      'anthropic',
      'anthropic-strict',
    ]);
  });

  test('at most 20 tools of a request are strict', () => {
    const profiles = profilesOf(Array.from({ length: 22 }, (_, at) => tool(`t${at}`, 0)));
    expect(profiles.filter((one) => one === 'anthropic-strict')).toHaveLength(20);
    expect(profiles.slice(20)).toEqual(['anthropic', 'anthropic']);
  });

  test('the strict ones are accepted by the strict rules, and all by the others', () => {
    const { tools } = fitList([tool('a b', 20), tool('a-b', 20), tool('a_b', 4)], 'anthropic-strict');
    const definitions = tools.map(({ definition }) => definition);
    const strict = tools.filter(({ plan }) => plan.profile === 'anthropic-strict');
    expect(strict).toHaveLength(2);
    expect(new Set(definitions.map(({ name }) => name)).size).toBe(3);
    expect(isAccepted(checkAgainstProfile(definitions, PROFILES.anthropic))).toBe(true);
    expect(
      isAccepted(
        checkAgainstProfile(
          strict.map(({ definition }) => definition),
          PROFILES['anthropic-strict'],
        ),
      ),
    ).toBe(true);
  });
});

test('the limit of a list that holds for all kinds of tools stays a finding', () => {
  const { findings } = fitList(
    Array.from({ length: 129 }, (_, at) => tool(`t${at}`, 0)),
    'openai-strict',
  );
  expect(findings).toMatchObject([{ rule: 'OAI-02', level: 'error' }]);
});

test('a provider without strict tools is adapted to as ever', () => {
  expect(fitList([tool('a', 30)], 'bedrock').tools.map(({ plan }) => plan.profile)).toEqual(['bedrock']);
});

describe('a tool that changed later', () => {
  test('is not strict where its list has totals', () => {
    expect(refitTool(tool('a', 1), 'anthropic-strict').plan.profile).toBe('anthropic');
  });

  test('stays strict where each tool is judged alone', () => {
    expect(refitTool(tool('a', 1), 'openai-strict').plan.profile).toBe('openai-strict');
  });
});
