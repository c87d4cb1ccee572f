import { PlugboardError, type ToolResult } from '@plugboard/contract';
import { describe, expect, it } from 'vitest';
import { McpPlugin, type McpPluginOptions } from './mcp-plugin.js';
import type { ToolCaller } from './tool-caller.js';
import { never, pluginRequest } from './test-support/plugin-request.js';

const setUp = (changes: Partial<McpPluginOptions> = {}, tools = ['get_person', 'delete_everything']) => {
  const calls: unknown[] = [];
  let disposed = 0;
  let answer: () => Promise<ToolResult> = () =>
    Promise.resolve({ content: [{ type: 'text', text: '{"name":"Ada"}' }] });
  const caller: ToolCaller = {
    listTools: () => Promise.resolve(tools.map((name) => ({ name }))),
    callTool: (name, args) => {
      calls.push([name, args]);
      return answer();
    },
    dispose: () => {
      disposed += 1;
      return Promise.resolve();
    },
  };
  const plugin = new McpPlugin({
    name: 'people',
    version: '1.0.0',
    description: 'People.',
    allowedTools: ['get_person', 'get_company'],
    actions: {
      person: { tool: 'get_person', aliases: ['profile'], required: ['id'] },
      company: { tool: 'get_company' },
      short: { tool: 'get_person', toArguments: ({ name }) => ({ id: name }) },
    },
    connect: () => caller,
    ...changes,
  });
  return {
    plugin,
    calls,
    disposed: () => disposed,
    answerWith: (next: typeof answer) => {
      answer = next;
    },
    initialize: () => plugin.initialize({ settings: {}, env: {} }, never),
  };
};

describe('a plug-in around an MCP server', () => {
  it('carries out an action by its name or an alias', async () => {
    const { plugin, calls, initialize } = setUp();
    await initialize();
    const response = await plugin.execute(pluginRequest('profile', { id: 'ada' }), never);
    expect(response).toMatchObject({
      request_id: 'r-1',
      status: 'success',
      data: { name: 'Ada' },
      metadata: { external_server: 'people', external_tool: 'get_person', action_performed: 'person' },
    });
    await plugin.execute(pluginRequest('short', { name: 'bob' }), never);
    expect(calls).toEqual([
      ['get_person', { id: 'ada' }],
      ['get_person', { id: 'bob' }],
    ]);
  });

  it('refuses what it does not know or what lacks a parameter, without touching the server', async () => {
    const { plugin, calls, initialize } = setUp();
    await initialize();
    for (const request of [
      pluginRequest('delete_everything'),
      pluginRequest('person', { id: '' }),
      pluginRequest('person'),
    ]) {
      expect(plugin.validateRequest(request)).toHaveLength(1);
      expect(await plugin.execute(request, never)).toMatchObject({
        status: 'error',
        error: { code: 'INVALID_ARGUMENT' },
      });
    }
    expect(plugin.validateRequest(pluginRequest('toString'))).toEqual(['There is no action "toString".']);
    expect(calls).toEqual([]);
  });

  it('answers with an error what the server does not offer or cannot do', async () => {
    const { plugin, answerWith, initialize } = setUp();
    expect(await plugin.execute(pluginRequest('company'), never)).toMatchObject({ error: { code: 'CONFLICT' } });
    await initialize();
    expect(await plugin.execute(pluginRequest('company'), never)).toMatchObject({ error: { code: 'TOOL_NOT_FOUND' } });
    answerWith(() => Promise.reject(new PlugboardError('UPSTREAM_TIMEOUT', 'too slow')));
    expect(await plugin.execute(pluginRequest('person', { id: 1 }), never)).toMatchObject({
      error: { code: 'UPSTREAM_TIMEOUT' },
    });
    answerWith(() => Promise.reject(new Error('with a secret')));
    const response = await plugin.execute(pluginRequest('person', { id: 1 }), never);
    expect(response).toMatchObject({ error: { code: 'INTERNAL' } });
    expect(JSON.stringify(response)).not.toContain('secret');
  });

  it('lets a mapper say that only a part could be had', async () => {
    const { plugin, initialize } = setUp({
      actions: {
        person: {
          tool: 'get_person',
          mapResult: () => ({
            status: 'partial',
            data: [1],
            error: new PlugboardError('UPSTREAM_AUTH', 'log in for more'),
          }),
        },
      },
    });
    await initialize();
    expect(await plugin.execute(pluginRequest('person'), never)).toMatchObject({
      status: 'partial',
      data: [1],
      error: { code: 'UPSTREAM_AUTH' },
    });
  });

  it('is not built with an action beyond its fence', () => {
    expect(() => setUp({ allowedTools: ['get_company'] })).toThrow(/not allowed/u);
  });

  it('does not start on a server that has nothing it may use', async () => {
    const { initialize, disposed } = setUp({}, ['something_else']);
    await expect(initialize()).rejects.toMatchObject({ code: 'UPSTREAM_PROTOCOL' });
    expect(disposed()).toBe(1);
  });

  it('releases its connection once', async () => {
    const { plugin, initialize, disposed } = setUp();
    await initialize();
    await plugin.shutdown();
    await plugin.shutdown();
    expect(disposed()).toBe(1);
  });

  it('describes itself', () => {
    expect(setUp().plugin.metadata()).toMatchObject({
      name: 'people',
      version: '1.0.0',
      actions: [
        { name: 'person', aliases: ['profile'], required: ['id'] },
        { name: 'company', aliases: [], required: [] },
        { name: 'short' },
      ],
    });
  });
});
