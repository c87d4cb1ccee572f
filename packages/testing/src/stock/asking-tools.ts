import type { FakeTool } from '../definition/tool.js';
import { numberOf, schemaOf, textOf } from './argument.js';

export const elicit: FakeTool = {
  name: 'elicit',
  description: 'Asks the user for a name, as often as `rounds` says, and gives back the answers.',
  inputSchema: schemaOf({ message: 'string', rounds: 'integer' }),
  handler: async (args, call) => {
    const answers: unknown[] = [];
    for (let round = 1; round <= numberOf(args, 'rounds', 1); round += 1) {
      const key = `question-${round}`;
      const params = {
        mode: 'form',
        message: textOf(args, 'message', 'What is your name?'),
        requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
      };
      answers.push((await call.ask({ [key]: { method: 'elicitation/create', params } }))[key]);
    }
    return JSON.stringify(answers);
  },
};

export const sample: FakeTool = {
  name: 'sample',
  description: "Asks the client's model and gives back what it said.",
  inputSchema: schemaOf({ prompt: 'string' }),
  handler: async (args, call) => {
    const text = textOf(args, 'prompt', 'What is the capital of France?');
    return JSON.stringify(
      await call.sample({ messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens: 100 }),
    );
  },
};

export const roots: FakeTool = {
  name: 'roots',
  description: "Gives back the client's roots.",
  inputSchema: schemaOf({}),
  handler: async (_args, call) => JSON.stringify(await call.roots()),
};
