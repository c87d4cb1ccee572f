import { fromJsonSchema, ResourceTemplate } from '@modelcontextprotocol/server';
import { PIXEL } from './content-tools.mjs';

const user = (content) => ({ role: 'user', content });
const words = (text) => user({ type: 'text', text });

const addResources = (server) => {
  const fixed = (name, mimeType, content) => {
    const uri = `test://${name}`;
    server.registerResource(name, uri, { mimeType, description: `Serves the scenario of ${uri}.` }, async () => ({
      contents: [{ uri, mimeType, ...content }],
    }));
  };
  fixed('static-text', 'text/plain', { text: 'This is the content of the static text resource.' });
  fixed('static-binary', 'image/png', { blob: PIXEL });
  fixed('watched-resource', 'text/plain', { text: 'Watched resource content' });
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined });
  server.registerResource('template', template, { mimeType: 'application/json' }, async (uri, { id }) => {
    const data = { id, templateTest: true, data: `Data for ID: ${id}` };
    return { contents: [{ uri: uri.toString(), mimeType: 'application/json', text: JSON.stringify(data) }] };
  });
};

const addPrompts = (server) => {
  const takes = (...names) =>
    fromJsonSchema({
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, { type: 'string', description: `The ${name}.` }])),
      required: names,
    });
  const description = 'Serves a scenario.';
  server.registerPrompt('test_simple_prompt', { description }, async () => ({
    messages: [words('This is a simple prompt for testing.')],
  }));
  server.registerPrompt(
    'test_prompt_with_arguments',
    { description, argsSchema: takes('arg1', 'arg2') },
    async ({ arg1, arg2 }) => ({ messages: [words(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)] }),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description, argsSchema: takes('resourceUri') },
    async ({ resourceUri: uri }) => ({
      messages: [
        user({ type: 'resource', resource: { uri, mimeType: 'text/plain', text: 'Embedded resource content.' } }),
        words('Please process the embedded resource above.'),
      ],
    }),
  );
  server.registerPrompt('test_prompt_with_image', { description }, async () => ({
    messages: [user({ type: 'image', data: PIXEL, mimeType: 'image/png' }), words('Please analyze the image above.')],
  }));
};

/** Resources, prompts, and the methods that the SDK leaves to its users. */
export const addOffers = (server) => {
  addResources(server);
  addPrompts(server);
  for (const method of ['resources/subscribe', 'resources/unsubscribe', 'logging/setLevel']) {
    server.server.setRequestHandler(method, async () => ({}));
  }
  server.server.setRequestHandler('completion/complete', async () => ({
    completion: { values: [], total: 0, hasMore: false },
  }));
};
