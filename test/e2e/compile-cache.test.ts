import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { temporaryDirectory } from './cli-process.js';

const program = fileURLToPath(new URL('../../packages/plugboard/bin/plugboard.mjs', import.meta.url));

it('keeps compiled code in the cache directory of the user where Node can, and starts without a place for it', async () => {
  const home = await temporaryDirectory();
  const version = (env: Readonly<Record<string, string>>) => {
    // Node keeps nothing of a run whose coverage is measured.
    const { NODE_V8_COVERAGE: _coverage, NODE_COMPILE_CACHE: _place, ...inherited } = process.env;
    return spawnSync(process.execPath, [program, '--version'], { env: { ...inherited, ...env }, encoding: 'utf8' });
  };
  const first = version({ XDG_CACHE_HOME: home });
  expect([first.status, first.stderr]).toEqual([0, '']);
  expect(existsSync(join(home, 'plugboard', 'compile'))).toBe('enableCompileCache' in module);
  expect(version({ XDG_CACHE_HOME: home }).stdout).toBe(first.stdout);
  const nowhere = version({ XDG_CACHE_HOME: '/dev/null' });
  expect([nowhere.status, nowhere.stdout]).toEqual([0, first.stdout]);
});
