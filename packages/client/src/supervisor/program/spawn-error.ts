import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { PlugboardError } from '@plugboard/contract';
import type { ProcessSpec } from './process-spec.js';

const isDirectory = async (path: string): Promise<boolean> => {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
};

const hintFor = async (spec: ProcessSpec, code: string | undefined): Promise<string> => {
  // The system reports a missing working directory as a missing program.
  if (spec.cwd !== undefined && !(await isDirectory(spec.cwd))) {
    return 'The working directory (cwd) does not exist or is not a directory.';
  }
  switch (code) {
    case 'ENOENT':
      return 'The command was not found: install it, give its full path, or add its folder to PATH in env.';
    case 'EACCES':
      return 'The command is not executable for this user: check its permissions.';
    case 'E2BIG':
      return 'The arguments and the environment together are too large for this system.';
    case 'EAGAIN':
    case 'EMFILE':
    case 'ENFILE':
      return 'The system has no processes or descriptors left: raise the limits or stop other servers.';
    case 'ERR_INVALID_ARG_VALUE':
      return 'The command, its arguments and its environment must not contain NUL characters.';
    case undefined:
    default:
      return 'Run the command in a terminal to see why it does not start.';
  }
};

/** Why a program could not be started, in words that say what to repair. */
export const spawnError = async (spec: ProcessSpec, thrown: unknown): Promise<PlugboardError> => {
  const code = (thrown as NodeJS.ErrnoException).code;
  return new PlugboardError('PROCESS_NOT_STARTED', `The command "${basename(spec.command)}" could not be started.`, {
    hint: await hintFor(spec, code),
    details: code === undefined ? {} : { system_error: code },
    cause: thrown,
  });
};
