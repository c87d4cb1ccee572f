import type { AgentModel } from '@plugboard/contract';
import { expect, test } from 'vitest';
import { changedModel, type ModelFlags } from './model-flags.js';

const before: AgentModel = { provider: 'anthropic', name: 'claude-sonnet-4-5', max_turns: 5 };

test.each<[string, ModelFlags, AgentModel | undefined, object]>([
  ['nothing', {}, before, {}],
  ['removal', { model: false }, before, { model: null }],
  ['another model keeps the rest', { model: 'anthropic:x' }, before, { model: { ...before, name: 'x' } }],
  ['another provider starts afresh', { model: 'openai:gpt' }, before, { model: { provider: 'openai', name: 'gpt' } }],
  [
    'members alone',
    { baseUrl: 'http://x/v1', instructions: 'Hi', maxTokens: 1, maxTurns: 2, fallback: 'f', approval: 'destructive' },
    before,
    {
      model: {
        ...before,
        base_url: 'http://x/v1',
        instructions: 'Hi',
        max_tokens: 1,
        max_turns: 2,
        fallback: 'f',
        approval: 'destructive',
      },
    },
  ],
  ['servers that may ask', { samplingServer: ['a'] }, before, { model: { ...before, sampling_servers: ['a'] } }],
  ['no server that may ask', { samplingServer: false }, before, { model: { ...before, sampling_servers: [] } }],
])('%s', (_, flags, model, change) => {
  expect(changedModel(model, flags)).toEqual(change);
});

test('members of no model are refused', () => {
  expect(() => changedModel(null, { maxTurns: 3 })).toThrow('has no model');
});
