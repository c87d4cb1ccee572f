// Regenerates docs/checks.md and the schemas of targets and reports; the tests that own them fail when they are stale.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const tests = ['packages/check/src/catalogue', 'packages/check/src/target'];
const { status } = spawnSync('npx', ['vitest', 'run', '--project', 'unit', ...tests, '--update'], {
  cwd: root,
  stdio: 'inherit',
});
process.exit(status ?? 1);
