import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createConfinement } from './confinement.js';
import { findMechanism, type Run } from './sandbox-mechanism.js';

let bin: string;

beforeAll(async () => {
  bin = await mkdtemp(join(tmpdir(), 'plugboard-bin-'));
  for (const name of ['bwrap', 'unshare']) {
    await writeFile(join(bin, name), '#!/bin/sh\n');
    await chmod(join(bin, name), 0o755);
  }
});
afterAll(() => rm(bin, { recursive: true, force: true }));

const failing =
  (...names: readonly string[]): Run =>
  (path) =>
    names.some((name) => path.endsWith(name))
      ? Promise.reject(Object.assign(new Error('exit 1'), { stderr: `${path}: not permitted\nmore` }))
      : Promise.resolve();

describe('findMechanism', () => {
  it('takes the first that works, after a trial', async () => {
    const search = (run: Run) => findMechanism({ root: bin, path: bin, run });
    expect((await search(failing())).found?.name).toBe('bwrap');
    expect((await search(failing('bwrap'))).found?.name).toBe('unshare');
    expect(await search(failing('bwrap', 'unshare'))).toEqual({
      found: undefined,
      missing: [
        { name: 'bwrap', why: `${join(bin, 'bwrap')}: not permitted` },
        { name: 'unshare', why: `${join(bin, 'unshare')}: not permitted` },
      ],
    });
  });

  it('says which are not installed', async () => {
    const { found, ...rest } = await findMechanism({ root: bin, path: '/nowhere', run: failing() });
    expect(found).toBeUndefined();
    expect(rest).toMatchObject({ missing: [{ why: 'not installed' }, { why: 'not installed' }] });
  });
});

describe('createConfinement', () => {
  const spec = { command: process.execPath, args: [], env: { LD_PRELOAD: 'x.so', LANG: 'C' }, cwd: '/' };

  it('passes programs without a sandbox through', async () => {
    expect(await createConfinement({ platform: 'darwin' }).confine(spec)).toEqual(spec);
  });

  it('starts nothing where there is no mechanism', async () => {
    const sandboxed = { ...spec, sandbox: {} };
    const elsewhere = createConfinement({ platform: 'darwin' });
    await expect(elsewhere.confine(sandboxed)).rejects.toMatchObject({ code: 'SANDBOX_UNAVAILABLE' });
    const without = createConfinement({ platform: 'linux', root: join(bin, 'root'), path: '/nowhere' });
    await expect(without.confine(sandboxed)).rejects.toMatchObject({
      hint: expect.stringContaining('bwrap: not installed') as string,
    });
  });

  it('searches once, again after a search that found nothing, and keeps variables that load code inside', async () => {
    let works = false;
    let trials = 0;
    const run: Run = () => {
      trials += 1;
      return works ? Promise.resolve() : Promise.reject(new Error('not yet'));
    };
    const confinement = createConfinement({ platform: 'linux', root: join(bin, 'root'), path: bin, run });
    expect((await confinement.mechanism()).found).toBeUndefined();
    works = true;
    const confined = await confinement.confine({ ...spec, sandbox: {} });
    await confinement.confine({ ...spec, sandbox: {} });
    expect(trials).toBe(3);
    expect(confined.command).toBe(join(bin, 'bwrap'));
    expect(confined.env).toEqual({ LANG: 'C' });
    expect(confined.args).toContain('LD_PRELOAD=x.so');
  });
});
