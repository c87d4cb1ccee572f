import { expect, it } from 'vitest';
import { agentModel } from './agent-model.js';

const accepts = (base_url: string): boolean =>
  agentModel.safeParse({ provider: 'openai', name: 'a-model', base_url }).success;

it('has an address without credentials, which others may read', () => {
  expect(accepts('https://llm.example/v1')).toBe(true);
  for (const url of ['https://user:secret@llm.example/v1', 'https://token@llm.example', 'file:///etc/passwd']) {
    expect(accepts(url)).toBe(false);
  }
});
