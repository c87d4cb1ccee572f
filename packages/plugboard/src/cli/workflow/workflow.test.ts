import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FakeHubOptions } from '../../test-support/fake-hub.js';
import { runFake } from '../../test-support/run-fake.js';
import { aServer } from '../../test-support/shapes.js';

let cwd = '';
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'plugboard-workflow-'));
});
afterEach(() => rm(cwd, { recursive: true, force: true }));

const workflow = async (
  argv: readonly string[],
  files: Readonly<Record<string, string>>,
  hub: FakeHubOptions = {},
  env: Readonly<Record<string, string>> = {},
) => {
  for (const [name, text] of Object.entries(files)) await writeFile(join(cwd, name), text);
  return await runFake(['workflow', ...argv], hub, { cwd, env });
};

const YAML = `
name: flow
servers:
  files: { command: [node, files.js] }
  web: { url: 'http://127.0.0.1:1/mcp' }
steps:
  - { name: read, server: files, tool: read_file }
  - { name: get, server: web, method: resources/list }
teardown:
  - { name: remove, server: files, tool: remove_file }
`;

/** A module whose steps are code, so that no server is opened. */
const moduleOf = (steps: string, servers = "{ unused: { command: ['unused'] } }", more = ''): string =>
  `export default { name: 'coded', servers: ${servers}, steps: [${steps}], ${more} };`;

const PASSES = "{ name: 'keeps', run: async ({ variables }) => ({ kept: variables.who }) }";
const FAILS = "{ name: 'refuses', run: async () => { throw new Error('not today'); } }";

describe('plugboard workflow validate', () => {
  it('counts the steps and names the servers', async () => {
    const { code, stdout } = await workflow(['validate', 'flow.yaml'], { 'flow.yaml': YAML });
    expect([code, stdout.trim()]).toEqual([0, '✓ flow.yaml: "flow", 2 steps, 1 in the teardown, servers files, web.']);
    const { json } = await workflow(['validate', 'flow.yaml', '--json'], {});
    expect(json()).toEqual({ name: 'flow', steps: 2, teardown: 1, servers: ['files', 'web'] });
  });

  it('refuses a file that cannot be read, and one that is not a workflow', async () => {
    const missing = await workflow(['validate', 'missing.yaml'], {});
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('cannot be read')]);
    const wrong = await workflow(['validate', 'flow.yaml'], { 'flow.yaml': YAML.replace('server: web', 'server: x') });
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('unknown server "x"')]);
  });

  it('executes no module', async () => {
    const { code } = await workflow(['validate', 'flow.mjs'], { 'flow.mjs': moduleOf(PASSES) });
    expect(code).toBe(2);
  });
});

describe('plugboard workflow run', () => {
  it('runs a module with the variables of the command line, and writes reports', async () => {
    const check =
      "{ name: 'compares', run: async ({ variables }) => { if (variables.kept !== 'you') throw new Error('lost'); } }";
    const { code, json, stderr } = await workflow(
      ['run', 'flow.mjs', '--var', 'who=you', '--report', 'flow.xml', '--json'],
      { 'flow.mjs': moduleOf(`${PASSES}, ${check}`) },
    );
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('lost')]);
    expect(json()).toMatchObject({ kind: 'workflow', target: { label: 'coded' }, outcome: 'passed' });
    expect(await readFile(join(cwd, 'flow.xml'), 'utf8')).toContain('<testsuite');
  });

  it('shows the step that failed, also when it is quiet', async () => {
    const { code, stdout } = await workflow(['run', 'flow.mjs', '--quiet'], { 'flow.mjs': moduleOf(FAILS) });
    expect([code, stdout]).toEqual([1, expect.stringContaining('not today')]);
  });

  it('is silent about success when it is quiet', async () => {
    const { code, stdout } = await workflow(['run', 'flow.mjs', '--quiet'], { 'flow.mjs': moduleOf(PASSES) });
    expect([code, stdout]).toEqual([0, '']);
  });

  it.each([
    ['has no default export', 'export const other = 1;', 'It has no default export.'],
    ['throws', "throw new Error('at the top');", 'at the top'],
    ['exports something else', "export default { name: 'x', servers: {}, steps: 7 };", 'cannot be loaded'],
    ['names an unknown server', moduleOf("{ name: 'a', server: 'none', tool: 'x' }"), 'unknown server "none"'],
  ])('refuses a module that %s', async (_what, text, why) => {
    const { code, stderr } = await workflow(['run', 'flow.mjs'], { 'flow.mjs': text });
    expect([code, stderr]).toEqual([2, expect.stringContaining(why)]);
  });

  it('refuses a report of an unknown form before it runs anything', async () => {
    const { code, stdout } = await workflow(['run', 'flow.mjs', '--report', 'flow.doc'], {
      'flow.mjs': moduleOf(FAILS),
    });
    expect([code, stdout]).toEqual([2, '']);
  });

  it('fills headers and variables of programs from the environment', async () => {
    const files = {
      'flow.mjs': moduleOf(
        PASSES,
        "{ a: { command: ['a'], env: { KEY: '${TOKEN}' } }, b: { url: 'http://127.0.0.1:1/', headers: { 'X-Key': 'a ${TOKEN}' } } }",
        "matrix: { servers: { a: [{ command: ['c'], env: { KEY: '${OTHER}' } }] } },",
      ),
    };
    const missing = await workflow(['run', 'flow.mjs'], files, {}, { TOKEN: 'x' });
    expect([missing.code, missing.stderr]).toEqual([
      2,
      expect.stringContaining('The environment variable OTHER, which KEY names, is not set.'),
    ]);
    const set = await workflow(['run', 'flow.mjs'], files, {}, { TOKEN: 'x', OTHER: 'y' });
    expect(set.code).toBe(0);
  });

  it('finds a server by its name in the hub', async () => {
    const files = { 'flow.mjs': moduleOf(PASSES, "{ files: { name: 'files' } }") };
    const server = aServer({
      server_name: 'files',
      config: { mcp_server_type: 'stdio', command: 'npx', args: ['x'] },
    });
    const known = await workflow(['run', 'flow.mjs'], files, { servers: [server] });
    expect(known.code).toBe(0);
    const unknown = await workflow(['run', 'flow.mjs'], files, { servers: [] });
    expect(unknown.code).not.toBe(0);
    expect(unknown.stderr).toContain('files');
  });
});
