import { expect, it } from 'vitest';
import { modelDraftOf, modelOf, modelProblem } from './model-draft.js';

it('a model keeps what the form does not show, and loses what was cleared', () => {
  const before = {
    provider: 'openai',
    name: 'gpt',
    base_url: 'http://one/v1',
    instructions: 'Hi',
    max_turns: 3,
  } as const;
  const draft = { ...modelDraftOf(before), baseUrl: ' ', name: ' other ' };
  expect(modelOf(before, draft)).toEqual({ provider: 'openai', name: 'other', instructions: 'Hi', max_turns: 3 });
  expect(modelOf(null, { ...modelDraftOf(null), name: 'claude' })).toEqual({ provider: 'anthropic', name: 'claude' });
});

it('a model needs a name, and a URL that is one', () => {
  const draft = modelDraftOf(undefined);
  expect(modelProblem(draft)).toContain('Name the model');
  expect(modelProblem({ ...draft, name: 'x', baseUrl: 'example.com' })).toContain('https://');
  expect(modelProblem({ ...draft, name: 'x', baseUrl: 'http://127.0.0.1:1/v1' })).toBeUndefined();
});
