import { mkdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { isWithin } from '@plugboard/base';
import type { ProcessContext } from '../process/process-context.js';
import type { Settings } from '../settings/settings.js';

/** Where the bundled documents server looks, in the home of the hub. */
export const documentsDirectory = (home: string): string => join(home, 'documents');

/** A start directory with everything of the user, or of the machine, is not meant to be given to agents. */
const isTooWide = ({ cwd, userHome }: Pick<ProcessContext, 'cwd' | 'userHome'>): boolean =>
  isWithin(cwd, resolve(userHome)) || dirname(cwd) === cwd;

/** Files with keys that may lie in the start directory. */
const secretFiles = ({ configFile, masterKey }: Pick<Settings, 'configFile' | 'masterKey'>): readonly string[] => [
  ...(configFile === undefined ? [] : [configFile]),
  ...(masterKey.from === 'file' ? [masterKey.path] : []),
];

/** The flags that say what the documents server may read: a directory of its own, and the one the hub was started in. */
export const documentFlags = (
  settings: Pick<Settings, 'home' | 'configFile' | 'masterKey'>,
  process: Pick<ProcessContext, 'cwd' | 'userHome'>,
): readonly string[] => {
  const own = ['--allow-dir', documentsDirectory(settings.home)];
  if (isTooWide(process) || isWithin(settings.home, process.cwd)) return own;
  const denied = [settings.home, ...secretFiles(settings).filter((file) => !isWithin(settings.home, file))];
  const reachable = denied.filter((path) => isWithin(process.cwd, path));
  return [...own, '--allow-dir', process.cwd, ...reachable.flatMap((path) => ['--deny-path', path])];
};

export const makeDocumentsDirectory = async (home: string): Promise<void> => {
  await mkdir(documentsDirectory(home), { recursive: true, mode: 0o700 });
};
