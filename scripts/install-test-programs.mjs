// Installs the programs of others that tests run (test/programs), apart from the workspace: they bring a `node` of their
// own, which must not shadow the user's in npm scripts, and some refuse the oldest Node that we support.
// Run by `npm test`; by hand: `node scripts/install-test-programs.mjs`.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '..', 'test', 'programs');
const stamp = join(folder, 'node_modules', '.installed-lock.json');
const lock = readFileSync(join(folder, 'package-lock.json'), 'utf8');

const { npm_config_omit: omit = '', NODE_ENV: mode = '' } = process.env;
const unwanted = omit.split(/[\s,]+/u).includes('dev') || mode === 'production';
const present = existsSync(stamp) && readFileSync(stamp, 'utf8') === lock;

if (!unwanted && !present) {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  // Said as flags: inside an npm script the settings of the workspace arrive by the environment and win over the folder's.
  const args = ['ci', '--engine-strict=false', '--ignore-scripts', '--loglevel=error'];
  const { status } = spawnSync(npm, args, { cwd: folder, stdio: 'inherit', timeout: 600_000 });
  // Users who only build need none of this: the tests that do say what is missing.
  if (status === 0) writeFileSync(stamp, lock);
  else console.warn('The programs that integration tests run could not be installed; those tests will fail.');
}
