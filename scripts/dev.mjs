// Rebuilds on every change and restarts the hub: `npm run dev -- --port 2092`.
import { spawn } from 'node:child_process';
import { join } from 'node:path';

const children = [
  spawn(join('node_modules', '.bin', 'tsc'), ['-b', '--watch', '--preserveWatchOutput'], { stdio: 'inherit' }),
  spawn(
    process.execPath,
    [
      '--watch-path=packages',
      join('packages', 'plugboard', 'dist', 'main.js'),
      'serve',
      '--demo',
      ...process.argv.slice(2),
    ],
    { stdio: 'inherit' },
  ),
];
const stop = () => children.forEach((child) => child.kill('SIGTERM'));
process.once('SIGINT', stop);
process.once('SIGTERM', stop);
for (const child of children) child.once('exit', stop);
