// Runs the tests on another Node, whose binary comes from npm: `npm run test:node -- 24`, `npm run test:node -- 26 unit`.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';

const [version, ...stages] = process.argv.slice(2);
if (!/^\d+(?:\.\d+){0,2}$/u.test(version ?? '')) {
  console.error('Which Node? For example: npm run test:node -- 24, or npm run test:node -- 24 unit e2e');
  process.exit(2);
}

const system = process.platform === 'win32' ? 'win' : process.platform;
const name = `node-${system}-${process.arch}`;
const folder = resolve('node_modules', '.cache', `node-${version}`);
const bin = join(folder, 'node_modules', name, 'bin');
const options = { stdio: 'inherit', shell: process.platform === 'win32' };

if (!existsSync(bin)) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const flags = ['--no-audit', '--no-fund', '--no-save', '--no-package-lock'];
  const installed = spawnSync('npm', ['install', ...flags, `${name}@${version}`], { ...options, cwd: folder });
  if (installed.status !== 0) {
    console.error(
      `The package ${name}@${version} could not be installed: is there a Node ${version} for this machine?`,
    );
    process.exit(1);
  }
}

const env = { ...process.env, PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}` };
spawnSync('node', ['--version'], { ...options, env });
const tested = spawnSync('node', [join('scripts', 'test.mjs'), ...stages], { ...options, env });
process.exitCode = tested.status ?? 1;
