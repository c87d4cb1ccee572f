import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { PlugboardError } from '@plugboard/contract';

const MAX_MEBIBYTES = 4;

/** Why a file that is there cannot be used. */
export class UnusableFile extends Error {}

/** The text of a file that the settings name. A pipe could block the hub indefinitely, and a device has no end. */
export const readTextFile = async (path: string): Promise<string> => {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const found = await file.stat();
    if (!found.isFile()) throw new UnusableFile('it is not a regular file');
    if (found.size > MAX_MEBIBYTES * 1024 * 1024) throw new UnusableFile(`it is larger than ${MAX_MEBIBYTES} MiB`);
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
};

/** A secret that stands alone in a file; the end of its line does not belong to it. */
export const readSecretFile = async (path: string, setting: string): Promise<string> => {
  const unusable = (cause?: unknown): PlugboardError =>
    new PlugboardError('CONFIG_INVALID', `The file that ${setting} names cannot be read, or is empty.`, {
      hint: 'The file must contain only the secret, and the user that runs the hub must be able to read it.',
      cause,
    });
  let text: string;
  try {
    text = await readTextFile(path);
  } catch (cause) {
    throw unusable(cause);
  }
  const secret = text.replace(/\r?\n$/u, '');
  if (secret === '') throw unusable();
  return secret;
};
