import { createModelCircuits } from '@plugboard/agent';
import type { AgentModel } from '@plugboard/contract';
import { expect, it } from 'vitest';
import { AgentCircuits } from './agent-circuits.js';

const model: AgentModel = { provider: 'openai', name: 'gpt-double' };

it('belong to an agent and its model', () => {
  const all = new AgentCircuits();
  const circuits = all.of('agent-1', model, createModelCircuits);
  expect(all.of('agent-1', { ...model, instructions: 'Be brief.' }, createModelCircuits)).toBe(circuits);
  for (const [id, other] of [
    ['agent-2', model],
    ['agent-1', { ...model, name: 'gpt-other' }],
    ['agent-1', { ...model, base_url: 'http://127.0.0.1:1/v1' }],
    ['agent-1', { ...model, fallback: 'gpt-other' }],
  ] as const) {
    expect(all.of(id, other, createModelCircuits)).not.toBe(circuits);
  }
});

it('are forgotten when too many others were used since', () => {
  const all = new AgentCircuits(2);
  const [one, two] = [all.of('1', model, createModelCircuits), all.of('2', model, createModelCircuits)];
  expect(all.of('1', model, createModelCircuits)).toBe(one);
  all.of('3', model, createModelCircuits);
  expect(all.of('1', model, createModelCircuits)).toBe(one);
  expect(all.of('2', model, createModelCircuits)).not.toBe(two);
});
