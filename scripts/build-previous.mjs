// Builds the program as it was before the last change of the schema, and prints where its main.js is. The test of two versions on
// one database runs it. It needs the history of the repository and exits with 3 where there is none (a shallow clone, an archive).
// The dependencies are those of this checkout. Options: --commit REVISION --into DIRECTORY
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const NO_HISTORY = 3;
const MAIN = 'packages/plugboard/dist/main.js';
const MIGRATIONS = 'packages/registry/src/store/migrations.ts';
const root = fileURLToPath(new URL('..', import.meta.url));
const modules = join(root, 'node_modules');
const { values } = parseArgs({ options: { commit: { type: 'string' }, into: { type: 'string' } } });

const git = (...args) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

const findCommit = () => {
  try {
    const revision = values.commit ?? `${git('log', '-1', '--format=%H', '--', MIGRATIONS)}^`;
    return git('rev-parse', '--verify', `${revision}^{commit}`);
  } catch {
    return undefined;
  }
};

/** The packages of that time, beside the dependencies of now. */
const linkModules = (directory) => {
  const own = join(directory, 'node_modules');
  const ours = new Set(['@plugboard', 'plugboard']);
  mkdirSync(own);
  for (const name of readdirSync(modules).filter((each) => each !== '.cache')) {
    if (ours.has(name)) cpSync(join(modules, name), join(own, name), { recursive: true, verbatimSymlinks: true });
    else symlinkSync(join(modules, name), join(own, name));
  }
};

const build = (commit, directory) => {
  const parent = dirname(directory);
  mkdirSync(parent, { recursive: true });
  const unfinished = mkdtempSync(join(parent, 'unfinished-'));
  try {
    const archive = join(unfinished, 'previous.tar');
    git('archive', '--output', archive, commit);
    execFileSync('tar', ['-x', '-f', archive, '-C', unfinished]);
    rmSync(archive);
    linkModules(unfinished);
    execFileSync(process.execPath, [join(modules, 'typescript/bin/tsc'), '-b', 'packages/plugboard'], {
      cwd: unfinished,
      stdio: ['ignore', 2, 2],
    });
    rmSync(directory, { recursive: true, force: true });
    renameSync(unfinished, directory);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
};

const commit = findCommit();
if (commit === undefined) {
  console.error('The history of the repository is not here. Fetch it with: git fetch --unshallow');
  process.exit(NO_HISTORY);
}
const directory = resolve(values.into ?? join(modules, '.cache', `plugboard-${commit.slice(0, 12)}`));
if (!existsSync(join(directory, MAIN))) build(commit, directory);
console.log(join(directory, MAIN));
