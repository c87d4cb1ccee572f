import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readConfigFile } from './read-config-file.js';
import { readSecretFile } from './read-text-file.js';

const MAKE_PIPE = 'mkfifo';
let at = '';
beforeAll(async () => {
  at = await mkdtemp(join(tmpdir(), 'plugboard-settings-'));
  execFileSync(MAKE_PIPE, [join(at, 'pipe')]);
  await symlink('/dev/zero', join(at, 'endless'));
  await writeFile(join(at, 'large'), ' '.repeat(5 * 1024 * 1024));
  await writeFile(join(at, 'key'), 'secret\n');
});
afterAll(() => rm(at, { recursive: true, force: true }));

it.each([
  ['pipe', 'it is not a regular file'],
  ['endless', 'it is not a regular file'],
  ['large', 'it is larger than 4 MiB'],
  ['.', 'it is not a regular file'],
])('a configuration file that is %s is refused at once', async (name, why) => {
  await expect(readConfigFile(join(at, name), true)).rejects.toMatchObject({
    code: 'CONFIG_INVALID',
    message: expect.stringContaining(why) as string,
  });
});

it('a secret is read from a file, and never waited for', async () => {
  expect(await readSecretFile(join(at, 'key'), 'masterKeyFile')).toBe('secret');
  await expect(readSecretFile(join(at, 'pipe'), 'masterKeyFile')).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
});
