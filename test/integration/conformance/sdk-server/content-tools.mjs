import { fromJsonSchema } from '@modelcontextprotocol/server';
import { setTimeout as sleep } from 'node:timers/promises';

/** A PNG of one red pixel. */
export const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
/** A WAV file without a sample. */
const SILENCE = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

const image = { type: 'image', data: PIXEL, mimeType: 'image/png' };
export const text = (words) => ({ content: [{ type: 'text', text: words }] });
const embedded = (uri, mimeType, words) => ({ type: 'resource', resource: { uri, mimeType, text: words } });

const FIXED = {
  test_simple_text: text('This is a simple text response for testing.'),
  test_image_content: { content: [image] },
  test_audio_content: { content: [{ type: 'audio', data: SILENCE, mimeType: 'audio/wav' }] },
  test_embedded_resource: {
    content: [embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  },
  test_multiple_content_types: {
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      image,
      embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  },
  test_streaming_elicitation: text('Nothing but a result'),
};

const mirrored = {
  type: 'object',
  properties: { region: { type: 'string', 'x-mcp-header': 'Region' }, level: { type: 'integer' } },
};

const json2020 = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  else: { required: ['email'] },
  additionalProperties: false,
  // `then` is a keyword of JSON Schema here; nothing awaits a schema.
  // oxlint-disable-next-line unicorn/no-thenable
  then: { required: ['phone'] },
};

const tellInSteps = async (_args, { mcpReq }) => {
  for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
    await mcpReq.notify({ method: 'notifications/message', params: { level: 'info', data } });
    await sleep(50);
  }
  return text('Tool with logging executed successfully');
};

const reportProgress = async (_args, { mcpReq }) => {
  const progressToken = mcpReq._meta?.progressToken;
  for (const progress of progressToken === undefined ? [] : [0, 50, 100]) {
    const message = `Completed step ${progress} of 100`;
    await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100, message } });
    await sleep(50);
  }
  return text(String(progressToken));
};

/** Tools that need nothing from the client. `breakStream` closes the stream of a request, where there is one. */
export const addContentTools = (server, { announce, breakStream }) => {
  const empty = fromJsonSchema({ type: 'object', properties: {} });
  const add = (name, handler, inputSchema = empty) =>
    server.registerTool(name, { description: `Serves the scenario of ${name}.`, inputSchema }, handler);
  for (const [name, result] of Object.entries(FIXED)) add(name, async () => result);
  add('test_error_handling', async () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
  add('test_tool_with_logging', tellInSteps);
  add('test_tool_with_progress', reportProgress);
  add('test_logging_tool', async (_args, { mcpReq }) => {
    await mcpReq.log('info', 'one log message');
    return text('logged');
  });
  add('test_reconnection', async (_args, context) => {
    breakStream(context);
    await sleep(100);
    return text('Reconnection test completed successfully.');
  });
  add('test_trigger_tool_change', async () => {
    await announce('tools', server);
    return text('announced');
  });
  add('test_trigger_prompt_change', async () => {
    await announce('prompts', server);
    return text('announced');
  });
  add('test_x_mcp_header', async ({ region }) => text(`region=${region}`), fromJsonSchema(mirrored));
  add('json_schema_2020_12_tool', async (args) => text(JSON.stringify(args)), fromJsonSchema(json2020));
};
