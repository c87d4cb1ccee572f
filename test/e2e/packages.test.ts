/// <reference lib="esnext.disposable" />
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { fakeServer, fakeServerCommand } from '@plugboard/testing';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../architecture/source.js';

const run = promisify(execFile);
interface Manifest {
  readonly private?: boolean;
}
const isPublished = async (folder: string): Promise<boolean> =>
  (JSON.parse(await readFile(join(root, 'packages', folder, 'package.json'), 'utf8')) as Manifest).private !== true;
const folders = await readdir(join(root, 'packages'));
const published = await Promise.all(folders.map(isPublished));
/** The console is no package of its own for users: the hub carries it. */
const packages = folders.filter((_, at) => published[at]);
const nameOf = (folder: string): string => (folder === 'plugboard' ? folder : `@plugboard/${folder}`);
const tarballOf = (folder: string): string => `${nameOf(folder).replace('@', '').replace('/', '-')}-`;

/** An empty project into which everything was installed from tarballs, as a user would from the registry. */
let project = '';
let tarballs: readonly string[] = [];
const installed = (folder: string, ...path: string[]): string =>
  join(project, 'node_modules', ...nameOf(folder).split('/'), ...path);

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'plugboard-packages-'));
  const chosen = packages.map((folder) => `--workspace=packages/${folder}`);
  await run('npm', ['pack', '--ignore-scripts', ...chosen, '--pack-destination', project], { cwd: root });
  tarballs = (await readdir(project)).filter((name) => name.endsWith('.tgz'));
  await writeFile(join(project, 'package.json'), '{ "private": true, "type": "module" }');
  const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--omit=optional', '--ignore-scripts'];
  await run('npm', ['install', ...flags, ...tarballs.map((name) => `./${name}`)], { cwd: project });
}, 300_000);

afterAll(async () => {
  await rm(project, { recursive: true, force: true });
});

const inProject = async (file: string, program: string, ...args: string[]): Promise<string> => {
  await writeFile(join(project, file), program);
  const { stdout } = await run(process.execPath, [file, ...args], { cwd: project, timeout: 60_000 });
  return stdout;
};

/** The `js` blocks of a README as one program. */
const exampleOf = (readme: string): string =>
  [...readme.matchAll(/```js\n(?<code>.*?)```/gsu)].map((match) => match.groups?.['code']).join('\n');

/** What the example says it prints: the comments behind its calls of console.log. */
const promisedBy = (program: string): readonly string[] =>
  [...program.matchAll(/console\.log\(.*\); \/\/ (?<output>.*)$/gmu)].map((match) => String(match.groups?.['output']));

describe.each(packages)('the package %s', (folder) => {
  it('passes publint', async () => {
    const { messages, pkg } = await publint({ pkgDir: installed(folder), pack: false, level: 'warning' });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });

  it('carries its programs, a README and the licence, and no tests', async () => {
    const files = await readdir(installed(folder), { recursive: true });
    expect(files).toEqual(expect.arrayContaining(['package.json', 'README.md', 'LICENSE', 'dist', 'src']));
    expect(files.filter((name) => /\.test\.|\.contract\.|test-support|tsbuildinfo|corpus/u.test(name))).toEqual([]);
    expect(await readFile(installed(folder, 'LICENSE'), 'utf8')).toBe(await readFile(join(root, 'LICENSE'), 'utf8'));
  });

  it('carries no compiled module whose source was moved or deleted', async () => {
    const files = (await readdir(installed(folder), { recursive: true })).map((name) => name.replaceAll('\\', '/'));
    const sources = new Set(files.filter((name) => name.startsWith('src/')));
    const modules = files.filter((name) => /^dist\/.*\.d\.ts$/u.test(name)).map((name) => name.slice(5, -5));
    expect(modules).not.toEqual([]);
    expect(modules.filter((name) => !sources.has(`src/${name}.ts`))).toEqual([]);
  });

  it('names the folder of the repository that it comes from', async () => {
    const { repository } = JSON.parse(await readFile(installed(folder, 'package.json'), 'utf8')) as {
      repository: unknown;
    };
    expect(repository).toMatchObject({ type: 'git', directory: `packages/${folder}` });
  });
});

it.each(['agent', 'base', 'client', 'contract', 'registry', 'schema', 'wire'])(
  'the example in the README of %s runs',
  async (folder) => {
    const example = exampleOf(await readFile(installed(folder, 'README.md'), 'utf8'));
    const printed = await inProject(`readme-${folder}.mjs`, example);
    expect(printed.trim()).not.toBe('');
    expect(printed.split('\n')).toEqual(expect.arrayContaining([...promisedBy(example)]));
  },
);

// The servers are programs: they have no types to import.
it.each(packages.filter((folder) => folder !== 'servers'))(
  'the types of %s are found by ES modules and bundlers',
  async (folder) => {
    const tarball = tarballs.find((name) => name.startsWith(tarballOf(folder)));
    const data = await readFile(join(project, String(tarball)));
    const checked = await checkPackage(createPackageFromTarballData(new Uint8Array(data)));
    const problems = checked.types === false ? ['no types'] : checked.problems;
    // CommonJS has to import these packages dynamically, and Node 10 never sees them: both are meant.
    const meant = (problem: unknown): boolean =>
      typeof problem === 'object' &&
      problem !== null &&
      'kind' in problem &&
      (problem.kind === 'CJSResolvesToESM' ||
        ('resolutionKind' in problem && ['node10', 'node16-cjs'].includes(String(problem.resolutionKind))));
    expect(problems.filter((problem) => !meant(problem))).toEqual([]);
  },
);

it('starts a hub with npx, which answers a call', async () => {
  const home = join(project, 'home');
  const environment = { ...process.env, PLUGBOARD_HOME: home };
  const options = { cwd: project, env: environment };
  const hub = spawn('npx', ['plugboard', 'serve', '--port', '0', '--demo'], {
    ...options,
    stdio: 'pipe',
    detached: true,
  });
  const ended = once(hub, 'exit');
  try {
    const ready = async (): Promise<boolean> =>
      run('npx', ['plugboard', 'list', '--json'], options).then(
        ({ stdout }) => stdout.includes('sandbox'),
        () => false,
      );
    await expect.poll(ready, { timeout: 60_000, interval: 500 }).toBe(true);
    const args = ['call', 'sandbox', 'run_code', '--arg', 'language=javascript', '--arg', 'code=6 * 7', '--json'];
    const { stdout } = await run('npx', ['plugboard', ...args], options);
    expect(stdout).toContain('42');
    const { url } = JSON.parse(await readFile(join(home, 'hub.json'), 'utf8')) as { readonly url: string };
    const page = await fetch(url);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<div id="root">')]);
  } finally {
    process.kill(-Number(hub.pid), 'SIGTERM');
    await ended;
  }
});

const clientProgram = `
import { McpClient, McpClientError } from '@plugboard/client';
const [url, command, ...args] = process.argv.slice(2);
const configs = [
  { mcp_server_type: 'streamable_http', server_url: url },
  { mcp_server_type: 'stdio', command, args },
];
const seen = [];
for (const config of configs) {
  const client = new McpClient({ config });
  const tools = await client.listTools();
  const result = await client.callTool('echo', { text: 'from a tarball' });
  const failure = await client.callTool('absent').catch((error) => error);
  seen.push([client.protocol.era, tools.length, result.content[0].text, failure instanceof McpClientError]);
  await client.dispose();
}
console.log(JSON.stringify(seen));
`;

it('brings a client that works without the rest', async () => {
  await using server = fakeServer({ eras: 'modern', tools: ['echo', 'add'] });
  const { url } = await server.listenHttp();
  const { command, args } = fakeServerCommand({ tools: ['echo'] });
  expect(JSON.parse(await inProject('client.mjs', clientProgram, url, command, ...args))).toEqual([
    ['modern', 2, 'from a tarball', true],
    ['legacy', 1, 'from a tarball', true],
  ]);
});
