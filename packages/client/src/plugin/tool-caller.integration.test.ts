import {
  fakeHttpServerCommand,
  fakeServerCommand,
  SOCIAL_COOKIE_NAME,
  SOCIAL_COOKIE_VARIABLE,
  socialNetworkServer,
} from '@plugboard/testing';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { McpClient } from '../mcp-client.js';
import { pollReady } from '../supervisor/poll-ready.js';
import type { SupervisedProcess } from '../supervisor/supervised-process.js';
import { createSupervisor } from '../supervisor/supervisor.js';
import { isAlive, sure } from '../supervisor/test-support/processes.js';
import { McpPlugin } from './mcp-plugin.js';
import type { PluginConfig } from './plugin.js';
import type { ToolCallOptions, ToolCaller } from './tool-caller.js';
import { never, pluginRequest } from './test-support/plugin-request.js';

const supervisor = createSupervisor();
afterAll(() => supervisor[Symbol.asyncDispose]());

const plugin = (connect: (config: PluginConfig) => ToolCaller | Promise<ToolCaller>): McpPlugin => {
  const built = new McpPlugin({
    name: 'social',
    version: '1.0.0',
    description: 'A social network.',
    allowedTools: ['get_person_profile'],
    actions: { person: { tool: 'get_person_profile', required: ['username'] } },
    connect,
  });
  onTestFinished(() => built.shutdown());
  return built;
};

/** A server that is started by the first call, is not idle during one, and is stopped with the caller. */
const supervisedCaller = (server: SupervisedProcess<ToolCaller>): ToolCaller => {
  const use = <T>(options: ToolCallOptions, work: (caller: ToolCaller) => Promise<T>): Promise<T> =>
    server.use(options.signal ?? new AbortController().signal, work);
  return {
    listTools: (options = {}) => use(options, (caller) => caller.listTools(options)),
    callTool: (name, args, options = {}) => use(options, (caller) => caller.callTool(name, args, options)),
    dispose: () => server[Symbol.asyncDispose](),
  };
};

const askForAda = async (built: McpPlugin) => {
  await built.initialize({ settings: {}, env: {} }, never);
  return built.execute(pluginRequest('person', { username: 'Ada' }), never);
};

const ada = { status: 'success', data: { name: 'Ada Example' } };

describe('a plug-in around a real server', () => {
  it('starts a stdio server, and survives its death', async () => {
    const { command, args } = fakeServerCommand({ fixture: 'social-network' });
    const server = supervisor.stdio({ name: 'social' });
    const pids: number[] = [];
    const built = plugin(
      () =>
        new McpClient({
          config: {
            mcp_server_type: 'stdio',
            command,
            args: [...args],
            env: { [SOCIAL_COOKIE_VARIABLE]: 'valid-cookie' },
          },
          launch: async (spec, options) => {
            const child = await server.launch(spec, options);
            pids.push(child.pid);
            return child;
          },
        }),
    );
    expect(await askForAda(built)).toMatchObject(ada);
    process.kill(sure(pids[0]), 'SIGKILL');
    expect(await built.execute(pluginRequest('person', { username: 'Ada' }), never)).toMatchObject(ada);
    await built.shutdown();
    expect(await Promise.all(pids.map(isAlive))).toEqual([false, false]);
  });

  it('uses a server at a URL', async () => {
    const fake = socialNetworkServer();
    const listener = await fake.listenHttp();
    onTestFinished(() => listener.close());
    const built = plugin(
      () =>
        new McpClient({
          config: {
            mcp_server_type: 'streamable_http',
            server_url: listener.url,
            custom_headers: { Cookie: `${SOCIAL_COOKIE_NAME}=valid-cookie` },
          },
        }),
    );
    expect(await askForAda(built)).toMatchObject(ada);
  });

  it('launches an HTTP server on a port of its own, and stops it', async () => {
    const { command, args } = fakeHttpServerCommand({ fixture: 'social-network', portVariable: 'PORT', path: '/mcp' });
    const server = supervisor.supervise<ToolCaller>({
      name: 'social-http',
      spec: () => ({ command, args, env: { [SOCIAL_COOKIE_VARIABLE]: 'valid-cookie' } }),
      listen: { port: { kind: 'free' }, host: '127.0.0.1' },
      connect: async ({ port }, signal) => {
        const url = `http://127.0.0.1:${port}/mcp`;
        const client = new McpClient({ config: { mcp_server_type: 'streamable_http', server_url: url } });
        await pollReady((attempt) => client.connect({ signal: attempt }), { signal });
        return client;
      },
      disconnect: (client) => client.dispose(),
    });
    const built = plugin(() => supervisedCaller(server));
    expect(await askForAda(built)).toMatchObject(ada);
    const state = server.state();
    const pid = sure(state.status === 'ready' ? state.pid : undefined);
    process.kill(pid, 'SIGKILL');
    await built.shutdown();
    expect(server.state().status).toBe('disposed');
    expect(await isAlive(pid)).toBe(false);
  });
});
