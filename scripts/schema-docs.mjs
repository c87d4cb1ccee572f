// Regenerates docs/schema-rules.md and docs/schema-grades.md; the tests that own them fail when they are stale.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const tests = ['packages/schema/src/grade/rules-doc.test.ts', 'packages/schema/src/grade/grades-doc.test.ts'];
const { status } = spawnSync('npx', ['vitest', 'run', '--project', 'unit', ...tests, '--update'], {
  cwd: root,
  stdio: 'inherit',
});
process.exit(status ?? 1);
