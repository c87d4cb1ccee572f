/// <reference lib="esnext.disposable" />
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { fakeServer, fakeServerCommand } from '@plugboard/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));
const packages = ['contract', 'wire', 'client'];

const program = `
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

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plugboard-tarball-'));
  await Promise.all(
    packages.map((name) =>
      run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder, `--workspace=@plugboard/${name}`], {
        cwd: root,
      }),
    ),
  );
  const tarballs = (await readdir(folder)).filter((name) => name.endsWith('.tgz')).map((name) => join(folder, name));
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  await run('npm', ['install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', ...tarballs], {
    cwd: folder,
  });
  await writeFile(join(folder, 'program.mjs'), program);
}, 120_000);

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

test('the client works when it is installed alone', async () => {
  await using server = fakeServer({ eras: 'modern', tools: ['echo', 'add'] });
  const { url } = await server.listenHttp();
  const { command, args } = fakeServerCommand({ tools: ['echo'] });
  const { stdout } = await run(process.execPath, ['program.mjs', url, command, ...args], {
    cwd: folder,
    timeout: 60_000,
  });
  expect(JSON.parse(stdout)).toEqual([
    ['modern', 2, 'from a tarball', true],
    ['legacy', 1, 'from a tarball', true],
  ]);
});

test('its tarball brings the programs and their types, and no tests', async () => {
  const files = await readdir(join(folder, 'node_modules', '@plugboard', 'client'), { recursive: true });
  expect(files).toEqual(expect.arrayContaining(['package.json', join('dist', 'index.js'), join('dist', 'index.d.ts')]));
  expect(files.filter((name) => /\.test\.|test-support|tsbuildinfo/u.test(name))).toEqual([]);
});
