// Installs a folder with a package file and a lock file of its own, apart from the workspace, unless it is installed already.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Whether the folder is installed as its lock file says, after an attempt to do so. `ci` wants the lock file to be complete;
 * `install` also takes one without the binaries of other platforms, and changes nothing in it.
 */
export const installApart = (folder, command = ['ci']) => {
  const stamp = join(folder, 'node_modules', '.installed-lock.json');
  const lock = readFileSync(join(folder, 'package-lock.json'), 'utf8');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return true;
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  // Said as flags: inside an npm script the settings of the workspace arrive by the environment and win over the folder's.
  const args = [...command, '--engine-strict=false', '--ignore-scripts', '--loglevel=error'];
  const { status } = spawnSync(npm, args, { cwd: folder, stdio: 'inherit', timeout: 900_000 });
  if (status === 0) writeFileSync(stamp, lock);
  return status === 0;
};
