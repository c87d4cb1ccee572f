import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createPluginHost, type PluginHost } from './plugin-host.js';
import { never, pluginRequest } from './test-support/plugin-request.js';

const globals = globalThis as { pluginLog?: string[]; gate?: Promise<void> };

/** A plug-in module that writes down what happens to it. */
const source = (version: string): string => `
  globalThis.pluginLog.push('load ${version}');
  export const createPlugin = () => ({
    async initialize({ settings, env }) {
      globalThis.pluginLog.push('initialize ' + settings.name + ' ' + env.TOKEN);
      if (env.TOKEN === undefined) throw Object.assign(new Error('no token'), { code: 'CONFIG_INVALID' });
    },
    async execute(request) {
      await globalThis.gate;
      if (request.action === 'throw') throw new Error('a bug');
      return { request_id: request.request_id, timestamp: '', status: 'success', data: '${version}', metadata: {} };
    },
    async shutdown() { globalThis.pluginLog.push('shutdown ${version}'); },
    metadata: () => ({ name: 'one', version: '${version}', description: '', actions: [] }),
    validateRequest: (request) => (request.action === 'bad' ? ['It is bad.'] : []),
  });
`;

describe('the plug-in host', () => {
  let directory = '';
  let log: string[] = [];
  let token: string | undefined;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'plugboard-plugins-'));
    log = [];
    token = 't';
    globals.pluginLog = log;
    await writeFile(join(directory, 'one.plugin.mjs'), source('1'));
    await writeFile(join(directory, 'broken.plugin.mjs'), 'export const x = ;');
    await writeFile(join(directory, 'empty.plugin.js'), '');
    await writeFile(join(directory, 'README.md'), '');
  });
  afterEach(async () => {
    delete globals.pluginLog;
    delete globals.gate;
    await rm(directory, { recursive: true, force: true });
  });

  const open = (reload = false): PluginHost => {
    const configOf = (name: string) => ({ settings: { name }, env: { TOKEN: token } });
    const host = createPluginHost({ directory, configOf, reload });
    onTestFinished(() => host[Symbol.asyncDispose]());
    return host;
  };
  const run = async (host: PluginHost, name = 'one', action = 'go') => host.execute(name, pluginRequest(action), never);

  it('finds plug-ins by the name of their file and loads none of them before it is used', async () => {
    expect(await open().names()).toEqual(['broken', 'empty', 'one']);
    expect(log).toEqual([]);
    expect(
      await createPluginHost({
        directory: join(directory, 'none'),
        configOf: () => ({ settings: {}, env: {} }),
      }).names(),
    ).toEqual([]);
  });

  it('loads and initialises once, however many use it', async () => {
    const host = open();
    const responses = await Promise.all([run(host), run(host), run(host)]);
    expect(responses.map((response) => response.status)).toEqual(['success', 'success', 'success']);
    expect(await host.metadata('one', never)).toMatchObject({ version: '1' });
    expect(log).toEqual(['load 1', 'initialize one t']);
    await host[Symbol.asyncDispose]();
    expect(log.at(-1)).toBe('shutdown 1');
    expect(await run(host)).toMatchObject({ error: { code: 'CANCELLED' } });
  });

  it('answers every fault with an error that names it', async () => {
    const host = open();
    expect(await run(host, 'none')).toMatchObject({ status: 'error', error: { code: 'NOT_FOUND' } });
    expect(await run(host, '../one')).toMatchObject({ status: 'error', error: { code: 'NOT_FOUND' } });
    expect(await run(host, 'broken')).toMatchObject({ error: { code: 'CONFIG_INVALID' } });
    expect(await run(host, 'empty')).toMatchObject({ error: { code: 'CONFIG_INVALID' } });
    expect(await run(host, 'one', 'bad')).toMatchObject({ error: { code: 'INVALID_ARGUMENT', message: 'It is bad.' } });
    const bug = await run(host, 'one', 'throw');
    expect(bug).toMatchObject({ request_id: 'r-1', error: { code: 'INTERNAL' }, metadata: { plugin: 'one' } });
    expect(JSON.stringify(bug)).not.toContain('a bug');
  });

  it('tries again after a start that failed', async () => {
    const host = open();
    token = undefined;
    expect(await run(host)).toMatchObject({ error: { code: 'CONFIG_INVALID', message: 'no token' } });
    token = 't';
    expect(await run(host)).toMatchObject({ status: 'success' });
  });

  it('loads a changed file anew and ends the old plug-in after its last call', async () => {
    const host = open(true);
    let finish: () => void = () => undefined;
    globals.gate = new Promise((resolve) => {
      finish = resolve;
    });
    const old = run(host);
    // The call has reached the plug-in when its description can be read.
    await host.metadata('one', never);
    await writeFile(join(directory, 'one.plugin.mjs'), source('2 '));
    await utimes(join(directory, 'one.plugin.mjs'), 1_000, 1_000);
    expect(await host.metadata('one', never)).toMatchObject({ version: '2 ' });
    expect(log).not.toContain('shutdown 1');
    finish();
    expect(await old).toMatchObject({ data: '1' });
    expect(await run(host)).toMatchObject({ data: '2 ' });
    expect(log.filter((line) => line === 'shutdown 1')).toHaveLength(1);
  });

  it('keeps what it has when it is not told to look for changes', async () => {
    const host = open();
    await run(host);
    await writeFile(join(directory, 'one.plugin.mjs'), source('2 '));
    expect(await run(host)).toMatchObject({ data: '1' });
  });
});
