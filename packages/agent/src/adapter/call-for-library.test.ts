import { PlugboardError } from '@plugboard/contract';
import { expect, test } from 'vitest';
import type { AgentTool } from '../tool/agent-tool.js';
import { callForLibrary } from './call-for-library.js';

const failing = (error: Error): AgentTool => ({
  name: 'look',
  upstreamName: 'look',
  definition: { name: 'look', inputSchema: { type: 'object' } },
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
  const outcome = await callForLibrary(failing(new PlugboardError('UPSTREAM_PROTOCOL', 'disk full')), {}, undefined);
  expect(outcome).toEqual({
    kind: 'failed',
    content: [{ type: 'text', text: 'disk full' }],
    structuredContent: undefined,
    isError: true,
    truncated: false,
  });
});

test('a mistake in the program is thrown', async () => {
  await expect(callForLibrary(failing(new TypeError('a mistake')), {}, undefined)).rejects.toThrow(TypeError);
});

test('a cancelled call throws the reason, not the failure that it caused', async () => {
  const signal = AbortSignal.abort(new Error('enough'));
  const call = callForLibrary(failing(new PlugboardError('UPSTREAM_PROTOCOL', 'cut')), {}, signal);
  await expect(call).rejects.toThrow('enough');
});
