import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SandboxSettings } from '@plugboard/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HiddenPaths, planSandbox } from './plan-sandbox.js';

let at = '';
let own: HiddenPaths;
beforeAll(async () => {
  at = await realpath(await mkdtemp(join(tmpdir(), 'plugboard-plan-')));
  for (const name of ['hub/documents', 'hub/sandbox', 'data/sub', 'user', 'app/node_modules/lib', 'app/src']) {
    await mkdir(join(at, name), { recursive: true });
  }
  await writeFile(join(at, 'hub/master.key'), 'secret');
  await writeFile(join(at, 'plugboard.json'), '{}');
  await writeFile(join(at, 'app/package.json'), '{}');
  await writeFile(join(at, 'app/src/server.js'), '');
  await writeFile(join(at, 'user/loose.js'), '');
  await symlink(join(at, 'data'), join(at, 'to-data'));
  await symlink(join(at, 'user'), join(at, 'data/planted'));
  own = { hidden: [join(at, 'hub'), join(at, 'plugboard.json')], shown: [join(at, 'hub/documents')] };
});
afterAll(() => rm(at, { recursive: true, force: true }));

const planned = (settings: SandboxSettings, args: readonly string[] = [], cwd = '/') =>
  planSandbox({ command: 'true', args, env: { PATH: '/usr/bin:/bin', HOME: join(at, 'user') }, cwd }, settings, own);
const here = async (...given: Parameters<typeof planned>) => {
  const { mounts } = await planned(...given);
  return mounts
    .filter(({ target }) => target.startsWith(at))
    .map(({ kind, target }) => `${kind} ${target.slice(at.length)}`);
};

describe('what a program in a sandbox sees', () => {
  it('is the system to read, a home and a /tmp of its own, and nothing else', async () => {
    const { mounts, network } = await planned({});
    expect(network).toBe(false);
    expect(mounts).toContainEqual({ kind: 'bind', source: '/usr', target: '/usr', writable: false });
    expect(mounts).toContainEqual({ kind: 'empty', target: '/tmp', writable: true });
    expect(mounts).toContainEqual({ kind: 'empty', target: join(at, 'user'), writable: true });
    expect(mounts.filter((mount) => mount.kind === 'bind' && mount.writable)).toEqual([]);
    const paths = mounts.map(({ target }) => target);
    for (const secret of ['/', '/etc', '/etc/shadow', '/home', '/root/.ssh', '/run', '/var']) {
      expect(paths).not.toContain(secret);
    }
  });

  it('is also the script that it runs, with its package and modules', async () => {
    const script = join(at, 'app/src/server.js');
    expect(await here({}, [script])).toEqual([
      'empty /user',
      'bind /app',
      'bind /app/node_modules',
      `bind /app/src/server.js`,
    ]);
    expect(await here({}, ['src/server.js'], join(at, 'app'))).toContain('bind /app');
  });

  it('is of a directory with everything of the user only the script', async () => {
    expect(await here({}, [join(at, 'user/loose.js')])).toEqual(['empty /user', 'bind /user/loose.js']);
  });

  it('is what was granted, a link under both its names', async () => {
    expect(await here({ read_only: [join(at, 'to-data')] })).toEqual(['empty /user', 'bind /data', 'link /to-data']);
    expect(await here({ writable: [join(at, 'data')], read_only: [join(at, 'data/sub')] })).toEqual([
      'empty /user',
      'bind /data',
      'bind /data/sub',
    ]);
  });

  it('never is what belongs to the hub', async () => {
    expect(await here({ read_only: [at] })).toEqual(expect.arrayContaining(['empty /hub', 'blank /plugboard.json']));
    expect(await here({ read_only: [join(at, 'hub/documents')] })).toContain('bind /hub/documents');
    const refused = { code: 'PROCESS_NOT_STARTED', message: expect.stringContaining('own files') as string };
    await expect(planned({ read_only: [join(at, 'hub')] })).rejects.toMatchObject(refused);
    await expect(planned({ read_only: [join(at, 'hub/master.key')] })).rejects.toMatchObject(refused);
    await expect(planned({ writable: [at] })).rejects.toMatchObject(refused);
    await expect(planned({}, [join(at, 'hub/master.key')])).rejects.toMatchObject(refused);
  });

  it.each(['/', '/proc', '/proc/self/root', '/sys/kernel', '/dev'])('is never %s of the machine', async (path) => {
    for (const settings of [{ read_only: [path] }, { writable: [path] }]) {
      await expect(planned(settings)).rejects.toMatchObject({
        code: 'PROCESS_NOT_STARTED',
        message: `The path ${path} cannot be part of a sandbox.`,
      });
    }
  });

  it('cannot be widened by the program with a link', async () => {
    const planted = { writable: [join(at, 'data')], read_only: [join(at, 'to-data/planted')] };
    await expect(planned(planted)).rejects.toMatchObject({ message: expect.stringContaining('can change') as string });
  });

  it('must exist', async () => {
    await expect(planned({ read_only: [join(at, 'nothing')] })).rejects.toMatchObject({
      code: 'PROCESS_NOT_STARTED',
      message: `The path ${join(at, 'nothing')} of the sandbox does not exist.`,
    });
  });
});
