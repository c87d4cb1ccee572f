import type { FakeTool } from '../definition/tool.js';
import { isObject, type JsonObject } from '../json-rpc/message.js';
import { numberOf, textOf } from '../stock/argument.js';
import { READ_ONLY, strictTool } from './strict-tool.js';

const NAME_FORM = {
  type: 'object',
  properties: {
    name: { type: 'string', title: 'Name', description: 'What people call you.', default: 'Ada' },
    size: { type: 'string', enum: ['small', 'large'], default: 'small' },
  },
  required: ['name'],
};

const fitsForm = (answer: JsonObject | undefined): boolean => {
  if (answer?.['action'] !== 'accept') return true;
  return isObject(answer['content']) && typeof answer['content']['name'] === 'string';
};

const elicit = strictTool({
  name: 'elicit',
  title: 'Ask the user',
  description: 'Asks the user for a name, one time or more, and gives back the answers.',
  annotations: READ_ONLY,
  parameters: {
    message: { type: 'string', description: 'The question.', maxLength: 1_000 },
    rounds: { type: 'integer', minimum: 1, maximum: 10, description: 'How many times to ask.' },
  },
  handler: async (args, call) => {
    const answers: unknown[] = [];
    for (let round = 1; round <= numberOf(args, 'rounds', 1); round += 1) {
      const key = `question-${round}`;
      const params = {
        mode: 'form',
        message: textOf(args, 'message', 'What is your name?'),
        requestedSchema: NAME_FORM,
      };
      const answer = (await call.ask({ [key]: { method: 'elicitation/create', params } }))[key];
      if (!fitsForm(answer)) {
        return {
          content: [{ type: 'text', text: 'The answer does not fit the form: "name" is a text.' }],
          isError: true,
        };
      }
      answers.push(answer);
    }
    return JSON.stringify(answers);
  },
});

const sample = strictTool({
  name: 'sample',
  title: 'Ask the model',
  description: "Asks the client's model a question and gives back what it said.",
  annotations: READ_ONLY,
  parameters: { prompt: { type: 'string', description: 'What to ask.', maxLength: 1_000 } },
  handler: async (args, call) => {
    const text = textOf(args, 'prompt', 'What is the capital of France?');
    const messages = [{ role: 'user', content: { type: 'text', text } }];
    return JSON.stringify(await call.sample({ messages, maxTokens: 100 }));
  },
});

const roots = strictTool({
  name: 'roots',
  title: 'Roots',
  description: 'Lists the folders that the client has opened for this server.',
  annotations: READ_ONLY,
  parameters: {},
  handler: async (_args, call) => JSON.stringify(await call.roots()),
});

const openPage = strictTool({
  name: 'open_page',
  title: 'Open a page',
  description: 'Asks the user to open a page in a browser, and says whether that was accepted.',
  annotations: READ_ONLY,
  parameters: {},
  handler: async (_args, call) => {
    const page = { mode: 'url', message: 'Please confirm in your browser.', url: 'https://example.com/confirm/7f3a' };
    const params = call.era === 'legacy' ? { ...page, elicitationId: '7f3a' } : page;
    return JSON.stringify(await call.elicit(params));
  },
});

/** Tools that ask the client for something before they answer. */
export const askingTools: readonly FakeTool[] = [elicit, sample, roots, openPage];
