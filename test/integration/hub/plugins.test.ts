import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AuditEntry, PluginView } from '@plugboard/contract';
import { describe, expect, it, onTestFinished } from 'vitest';
import { composeHub } from '../../../packages/plugboard/src/compose/compose-hub.js';
import { openHub } from '../../../packages/plugboard/src/hub-api/connect/open-hub.js';
import { runHub } from '../../../packages/plugboard/src/serve/run-hub.js';
import { settingsFor } from '../../../packages/plugboard/src/cli/command/settings-for.js';
import { runCli, type CliPorts } from '../../../packages/plugboard/src/cli/run-cli.js';
import { pluginsFile, declaredPlugins } from '../../../packages/plugboard/src/settings/plugin-settings.js';
import { fakeProcess } from '../../../packages/plugboard/src/test-support/fake-process.js';
import { hubCall, hubCallWith } from '../../support/hub-call.js';
import { ownerFetch } from '../../support/hub-keys.js';
import { startRealHub } from '../../support/real-hub.js';

const example = fileURLToPath(new URL('../../../examples/plugin-notes/plugboard.json', import.meta.url));
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

const ports: CliPorts = {
  openHub: (process, url, settings) =>
    openHub({ process, url, settings, compose: (resolved) => composeHub(resolved, quiet) }),
};

const directory = async (prefix: string): Promise<string> => {
  const path = await mkdtemp(join(tmpdir(), prefix));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
};

const cli = async (env: Readonly<Record<string, string>>, ...argv: readonly string[]) => {
  const fake = fakeProcess(argv, { env: { PATH: process.env['PATH'] ?? '', ...env } });
  const code = await runCli(fake, ports);
  return { code, ...fake.written };
};

/** The hub as `plugboard serve --config …` runs it, until the test ends. */
const serveExample = async (): Promise<Readonly<Record<string, string>>> => {
  const home = await directory('plugboard-notes-');
  const stop = new AbortController();
  const env = { PATH: process.env['PATH'] ?? '', PLUGBOARD_HOME: home };
  const fake = fakeProcess([], { env, signal: stop.signal });
  const running = runHub(await settingsFor(fake, { config: example, port: 0 }), fake);
  onTestFinished(async () => {
    stop.abort();
    await running;
  });
  const note = async () => JSON.parse(await readFile(join(home, 'hub.json'), 'utf8')) as { url: string; key: string };
  await expect.poll(() => note().catch(() => undefined), { timeout: 20_000 }).toBeDefined();
  const { url, key } = await note();
  const servers = async () => (await hubCallWith(url, key)('GET', '/v1/mcp-servers')).json as { status: object }[];
  await expect.poll(servers, { timeout: 20_000 }).toMatchObject([{ status: { state: 'ready' } }]);
  return { PLUGBOARD_HUB_URL: url, PLUGBOARD_API_KEY: key };
};

/** A hub with these modules as plug-ins. */
const startWith = async (modules: Readonly<Record<string, string>>, more: object = {}) => {
  const folder = await directory('plugboard-plugins-');
  for (const [name, source] of Object.entries(modules)) await writeFile(join(folder, `${name}.plugin.mjs`), source);
  const entries = Object.keys(modules).map((name) => ({ module: `./${name}.plugin.mjs`, ...more }));
  const plugins = declaredPlugins(
    pluginsFile.parse([...entries, { module: './absent.mjs' }, { module: 'no-such-package' }]),
    join(folder, 'plugboard.json'),
  );
  const hub = await startRealHub({ settings: { plugins, environment: { GIVEN: 'given', KEPT: 'kept' } } });
  onTestFinished(() => hub.close());
  const run = async (name: string, body: object) =>
    (await hubCall(hub.url, 'POST', `/v1/plugins/${name}/run`, body)).json;
  return { hub, run };
};

const plugin = (members: string): string => `export const createPlugin = () => ({
  initialize: async () => {}, execute: async () => {}, shutdown: async () => {},
  metadata: () => ({ name: 'x', version: '1', description: '', actions: [] }), validateRequest: () => [], ${members} });`;

const answer = (data: string): string =>
  `({ request_id: '', timestamp: '', status: 'success', data: ${data}, metadata: {} })`;

describe('the example of a plug-in', () => {
  it('runs from the command line as its page says, behind a fence and in the audit trail', async () => {
    const env = await serveExample();
    const notes = (...argv: readonly string[]) => cli(env, ...argv);
    const listed = await notes('plugin', 'list');
    expect([listed.stdout, listed.stderr, listed.code]).toEqual([expect.stringContaining('list, read'), '', 0]);
    expect(JSON.parse((await notes('plugin', 'run', 'notes', 'list')).stdout)).toEqual(['hello']);
    const shown = await notes('plugin', 'run', 'notes', 'show', '--arg', 'name=hello');
    expect(shown.stdout).toContain('A note that the plug-in reads.');
    for (const [action, words] of [
      ['write_file', 'There is no action "write_file".'],
      ['read', 'The parameter "name" is missing.'],
    ] as const) {
      const refused = await notes('plugin', 'run', 'notes', action);
      expect([refused.code, refused.stderr.includes(words)]).toEqual([1, true]);
    }
    expect((await notes('show', 'files')).stdout).toContain('notes (ready)');
    expect((await notes('doctor')).stdout).toMatch(/Plug-in notes\s+1\.0\.0 ready, 2 actions/u);
    const audit = JSON.parse((await notes('audit', '--json')).stdout) as AuditEntry[];
    expect(audit.map(({ target }) => target)).toContain('files/read_text_file');
  });
});

describe('a plug-in of the hub', () => {
  it('that is missing, broken or of another shape is named, and harms nothing else', async () => {
    const { hub } = await startWith({
      fine: plugin(''),
      broken: 'export const createPlugin = ;',
      empty: 'export const other = 1;',
      shapeless: 'export const createPlugin = () => ({ execute: async () => {} });',
      throwing: "export const createPlugin = () => { throw new Error('a secret'); };",
      refusing: plugin("initialize: async () => { throw new Error('a secret'); },"),
    });
    const { json } = await hubCall(hub.url, 'GET', '/v1/plugins');
    const views = json as PluginView[];
    expect(views.map(({ name, state, error }) => [name, state, error?.code, error?.message])).toEqual([
      ['fine', 'ready', undefined, undefined],
      ['broken', 'failing', 'CONFIG_INVALID', 'The plug-in "broken" cannot be loaded.'],
      ['empty', 'failing', 'CONFIG_INVALID', 'The plug-in "empty" exports no createPlugin function.'],
      ['shapeless', 'failing', 'CONFIG_INVALID', expect.stringContaining('has no initialize, no shutdown')],
      ['throwing', 'failing', 'CONFIG_INVALID', 'createPlugin of the plug-in "throwing" failed.'],
      ['refusing', 'failing', 'INTERNAL', expect.any(String)],
      ['absent', 'failing', 'CONFIG_INVALID', 'The module "./absent.mjs" of the plug-in "absent" does not exist.'],
      ['no-such-package', 'failing', 'CONFIG_INVALID', expect.stringContaining('does not exist')],
    ]);
    expect(views.every(({ error }) => error === undefined || error.hint !== undefined)).toBe(true);
    expect(JSON.stringify(views)).not.toContain('a secret');
    expect((await fetch(`${hub.url}/health`)).status).toBe(200);
  });

  it('that never answers is not waited for', async () => {
    const { run } = await startWith(
      {
        stuck: plugin('execute: () => new Promise(() => {}),'),
        asleep: plugin('initialize: () => new Promise(() => {}),'),
      },
      { deadline: 0.2 },
    );
    for (const [name, what] of [
      ['stuck', 'finish "go"'],
      ['asleep', 'start'],
    ] as const) {
      // On a busy machine, loading the module alone may take that long: the next try has it loaded.
      await expect
        .poll(() => run(name, { action: 'go' }), { timeout: 20_000 })
        .toMatchObject({
          status: 'error',
          error: { code: 'UPSTREAM_TIMEOUT', message: `The plug-in "${name}" did not ${what} within 0.2 s.` },
        });
    }
  });

  it('gets its options and the variables that the file names, and no others', async () => {
    const { run } = await startWith(
      {
        env: plugin(`initialize: async (config) => { globalThis.pluginConfig = config; },
        execute: async () => ${answer('globalThis.pluginConfig')},`),
      },
      { env: ['GIVEN'], options: { colour: 'red' } },
    );
    expect(await run('env', { action: 'go' })).toMatchObject({
      status: 'success',
      data: { settings: { colour: 'red' }, env: { GIVEN: 'given' } },
    });
    expect(JSON.stringify(await run('env', { action: 'go' }))).not.toContain('kept');
  });

  it('cannot be named through the API', async () => {
    const { hub } = await startWith({});
    for (const [method, path, body] of [
      ['POST', '/v1/plugins', { module: './x.mjs' }],
      ['PUT', '/v1/plugins/x', { module: './x.mjs' }],
      [
        'POST',
        '/v1/mcp-servers',
        { server_name: 'x', config: { mcp_server_type: 'stdio', command: 'x', args: [], plugins: [{ module: 'x' }] } },
      ],
    ] as const) {
      const { status } = await hubCall(hub.url, method, path, body);
      expect([path, status >= 400 && status < 500]).toEqual([path, true]);
    }
    expect((await hubCall(hub.url, 'POST', '/v1/plugins/other/run', { action: 'x' })).status).toBe(404);
    expect((await fetch(`${hub.url}/v1/plugins`)).status).toBe(401);
    expect((await ownerFetch(`${hub.url}/v1/plugins`)).status).toBe(200);
  });
});
