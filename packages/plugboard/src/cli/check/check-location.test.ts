import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkTarget } from '@plugboard/check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sourceLocation } from './check-location.js';

let cwd = '';
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'plugboard-location-'));
});
afterEach(() => rm(cwd, { recursive: true, force: true }));

const URL_TARGET = checkTarget.parse({ url: 'http://127.0.0.1:8080/mcp' });

it('is the target file and the line that names the server', async () => {
  await writeFile(join(cwd, 'plugboard-check.yaml'), '# the server\ntier: full\nurl: http://127.0.0.1:8080/mcp\n');
  expect(await sourceLocation(URL_TARGET, 'plugboard-check.yaml', cwd)).toEqual({
    uri: 'plugboard-check.yaml',
    line: 3,
  });
});

it('finds the program in a target file, too', async () => {
  await writeFile(join(cwd, 'target.json'), '{\n  "tier": "full",\n  "command": ["node", "server.js"]\n}\n');
  const target = checkTarget.parse({ command: ['node', 'server.js'] });
  expect(await sourceLocation(target, 'target.json', cwd)).toEqual({ uri: 'target.json', line: 3 });
});

const CLIENT_FILE = `{
  "mcpServers": {
    "other": { "command": "node", "args": ["other.js"] },
    "files": {
      "command": "node",
      "args": ["server.js"]
    }
  }
}
`;

it.each(['.mcp.json#files', '.mcp.json'])('is the entry of the server in the file of a client: %s', async (named) => {
  await writeFile(join(cwd, '.mcp.json'), CLIENT_FILE);
  const target = checkTarget.parse({ name: 'files', command: ['node', 'server.js'], cwd });
  expect(await sourceLocation(target, named, cwd)).toEqual({ uri: '.mcp.json', line: 4 });
});

it('is the entry of a registered server that a file of the repository declares', async () => {
  await writeFile(join(cwd, 'plugboard.json'), CLIENT_FILE);
  await writeFile(join(cwd, 'package.json'), '{}');
  expect(await sourceLocation(checkTarget.parse({ name: 'files' }), 'files', cwd)).toEqual({
    uri: 'plugboard.json',
    line: 4,
  });
});

it('is the program of a command', async () => {
  await mkdir(join(cwd, 'dist'));
  await writeFile(join(cwd, 'dist', 'server.js'), '');
  await writeFile(join(cwd, 'package.json'), '{}');
  const target = checkTarget.parse({ command: ['node', 'dist/server.js', '--stdio'], cwd });
  expect(await sourceLocation(target, 'node', cwd)).toEqual({ uri: 'dist/server.js', line: 1 });
});

it('is the manifest for a server that no file of the repository names, and never a file outside', async () => {
  await writeFile(join(cwd, 'package.json'), '{}');
  expect(await sourceLocation(URL_TARGET, URL_TARGET.url, cwd)).toEqual({ uri: 'package.json', line: 1 });
  const outside = checkTarget.parse({ command: [process.execPath] });
  expect(await sourceLocation(outside, process.execPath, cwd)).toEqual({ uri: 'package.json', line: 1 });
});

it('is none where nothing exists', async () => {
  expect(await sourceLocation(URL_TARGET, URL_TARGET.url, cwd)).toBeUndefined();
});
