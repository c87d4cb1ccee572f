import { PlugboardError } from '@plugboard/contract';
import { expect, test } from 'vitest';
import { instruction } from '../result/tool-outcome.js';
import type { AgentTool } from '../tool/agent-tool.js';
import { toolForLibrary } from './tool-for-library.js';

const failing = (error: Error): AgentTool => ({
  name: 'look',
  upstreamName: 'look',
  definition: { name: 'look', inputSchema: { type: 'object' } },
  profile: 'openai',
  metadata: {
    tool_type: 'mcp',
    display_name: 'look',
    folder_path: undefined,
    slug: undefined,
    server_id: undefined,
    server_name: 'house',
    tags: [],
    annotations: undefined,
    grade: { status: 'STRICT_COMPLIANT', reasons: [] },
  },
  call: async () => {
    throw error;
  },
});

test('a failure of the server is an outcome for the model', async () => {
  const outcome = await toolForLibrary(failing(new PlugboardError('UPSTREAM_PROTOCOL', 'disk full'))).call(
    {},
    undefined,
  );
  expect(outcome).toEqual({
    kind: 'failed',
    content: [{ type: 'text', text: 'disk full' }],
    structuredContent: undefined,
    isError: true,
    truncated: false,
  });
});

test('a mistake in the program is thrown', async () => {
  await expect(toolForLibrary(failing(new TypeError('a mistake'))).call({}, undefined)).rejects.toThrow(TypeError);
});

test('a cancelled call throws the reason, not the failure that it caused', async () => {
  const signal = AbortSignal.abort(new Error('enough'));
  const call = toolForLibrary(failing(new PlugboardError('UPSTREAM_PROTOCOL', 'cut'))).call({}, signal);
  await expect(call).rejects.toThrow('enough');
});

test('the schema that the library holds becomes that of the changed tool', async () => {
  const tool = {
    ...failing(new Error('unused')),
    definition: { name: 'look', inputSchema: { type: 'object', required: ['where'], properties: { where: {} } } },
    call: async () => {
      tool.definition = { name: 'look', inputSchema: { type: 'object', properties: { place: {} } } } as never;
      return instruction('schema-changed', 'Call it again.');
    },
  };
  const { schema, call } = toolForLibrary(tool);
  expect(schema).toMatchObject({ required: ['where'] });
  await call({}, undefined);
  expect(schema).toEqual({ type: 'object', properties: { place: {} } });
});
