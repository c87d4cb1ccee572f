import { access, constants, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { MasterKeySource, Settings } from '../../settings/settings.js';
import { type Finding, fine, problem, warning } from './finding.js';

interface FileFacts {
  readonly isDirectory: boolean;
  /** The permissions that others than the owner have. */
  readonly openToOthers: boolean;
  readonly mode: string;
}

const factsOf = async (path: string): Promise<FileFacts | undefined> => {
  try {
    const facts = await stat(path);
    const mode = facts.mode & 0o777;
    return {
      isDirectory: facts.isDirectory(),
      openToOthers: (mode & 0o077) !== 0,
      mode: mode.toString(8).padStart(4, '0'),
    };
  } catch {
    return undefined;
  }
};

const isWritable = async (path: string): Promise<boolean> => {
  try {
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** Can state be kept there, and can nobody else read it? */
export const checkHome = async (home: string, platform: NodeJS.Platform): Promise<Finding> => {
  const told = { id: 'home', subject: 'Home', message: home };
  const facts = await factsOf(home);
  if (facts === undefined) return fine({ ...told, message: `${home} does not exist yet; it is created at first use` });
  if (!facts.isDirectory) {
    return problem(
      { ...told, message: `${home} is not a directory` },
      'Move that file away, or choose another --home.',
    );
  }
  if (!(await isWritable(home))) {
    return problem({ ...told, message: `${home} cannot be written` }, `Make it yours: chown "$USER" '${home}'`);
  }
  if (platform !== 'win32' && facts.openToOthers) {
    return warning({ ...told, message: `${home} is open to other users (${facts.mode})` }, `chmod 700 '${home}'`);
  }
  return fine(told);
};

export const checkConfig = ({ configFile, declaredServers }: Settings): Finding =>
  fine({
    id: 'config',
    subject: 'Configuration',
    message:
      configFile === undefined
        ? 'no file; defaults, environment and flags apply'
        : `${configFile}${declaredServers.length === 0 ? '' : `, declares ${declaredServers.length} servers`}`,
  });

const KEY = { id: 'master-key', subject: 'Master key' };

const checkKeyFile = async (
  source: MasterKeySource & { readonly from: 'file' },
  settings: Settings,
  platform: NodeJS.Platform,
): Promise<Finding> => {
  const facts = await factsOf(source.path);
  if (facts !== undefined) {
    const told = { ...KEY, message: source.path };
    return platform !== 'win32' && facts.openToOthers
      ? warning(
          { ...told, message: `${source.path} is readable by other users (${facts.mode})` },
          `chmod 600 '${source.path}'`,
        )
      : fine(told);
  }
  if (!source.create) {
    return problem(
      { ...KEY, message: `there is no key at ${source.path}` },
      'Correct PLUGBOARD_MASTER_KEY_FILE or masterKeyFile, or restore the file.',
    );
  }
  const hasStore =
    settings.databaseUrl === undefined && (await factsOf(join(settings.home, 'plugboard.db'))) !== undefined;
  return hasStore
    ? problem(
        { ...KEY, message: `the store exists, but its key ${source.path} is missing` },
        'Restore the key from a backup. Without it the stored secrets cannot be read: register those servers again.',
      )
    : fine({ ...KEY, message: 'is created at first start' });
};

/** Is the key there, and can nobody else read it? */
export const checkMasterKey = async (settings: Settings, platform: NodeJS.Platform): Promise<Finding> =>
  settings.masterKey.from === 'environment'
    ? fine({ ...KEY, message: 'from PLUGBOARD_MASTER_KEY' })
    : checkKeyFile(settings.masterKey, settings, platform);
