import { fromJsonSchema } from '@modelcontextprotocol/server';
import { text } from './content-tools.mjs';

const choices = ['option1', 'option2', 'option3'];
const titled = (word) =>
  ['First', 'Second', 'Third'].map((ordinal, index) => ({ const: `value${index + 1}`, title: `${ordinal} ${word}` }));

const FORMS = {
  test_elicitation_sep1034_defaults: {
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
  },
  test_elicitation_sep1330_enums: {
    untitledSingle: { type: 'string', enum: choices },
    titledSingle: { type: 'string', oneOf: titled('Option') },
    legacyEnum: { type: 'string', enum: ['opt1', 'opt2', 'opt3'], enumNames: ['One', 'Two', 'Three'] },
    untitledMulti: { type: 'array', minItems: 1, maxItems: 3, items: { type: 'string', enum: choices } },
    titledMulti: { type: 'array', minItems: 1, maxItems: 3, items: { anyOf: titled('Choice') } },
  },
};

/** A server that cannot ask says so in the result of its tool, as the official fixture does. */
const asked = async (what, ask) => {
  try {
    return text(await ask());
  } catch (error) {
    return text(`${what} not supported or error: ${error.message}`);
  }
};

const elicit = async (mcpReq, message, properties, required = []) => {
  const requestedSchema = { type: 'object', properties, required };
  const { action, content } = await mcpReq.send({ method: 'elicitation/create', params: { message, requestedSchema } });
  return `action=${action}, content=${JSON.stringify(content ?? {})}`;
};

const sample = async (mcpReq, words) => {
  const messages = [{ role: 'user', content: { type: 'text', text: words } }];
  const answer = await mcpReq.send({ method: 'sampling/createMessage', params: { messages, maxTokens: 100 } });
  return `LLM response: ${answer.content?.text ?? 'none'}`;
};

/** Tools that send the client a request in the middle of a call, which only the legacy era allows. */
export const addAskingTools = (server) => {
  const takes = (name) =>
    fromJsonSchema({ type: 'object', properties: { [name]: { type: 'string' } }, required: [name] });
  const description = 'Asks the client while it waits.';
  server.registerTool('test_sampling', { description, inputSchema: takes('prompt') }, ({ prompt }, { mcpReq }) =>
    asked('Sampling', () => sample(mcpReq, prompt)),
  );
  server.registerTool('test_elicitation', { description, inputSchema: takes('message') }, ({ message }, { mcpReq }) =>
    asked('Elicitation', async () => {
      const answer = await elicit(mcpReq, message, { response: { type: 'string' } }, ['response']);
      return `User response: ${answer}`;
    }),
  );
  for (const [name, properties] of Object.entries(FORMS)) {
    const inputSchema = fromJsonSchema({ type: 'object', properties: {} });
    server.registerTool(name, { description, inputSchema }, (_args, { mcpReq }) =>
      asked('Elicitation', async () => {
        const answer = await elicit(mcpReq, 'Please fill in this form', properties);
        return `Elicitation completed: ${answer}`;
      }),
    );
  }
};
