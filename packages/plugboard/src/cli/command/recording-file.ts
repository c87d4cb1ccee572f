import { open } from 'node:fs/promises';
import { PlugboardError } from '@plugboard/contract';

/** A file that is written while something else goes on. */
export interface RecordingFile {
  readonly write: (text: string) => void;
  /** Why the rest is missing, when it could not be written. */
  close(): Promise<string | undefined>;
}

/** Creates the file for its owner only. What cannot be written later, on a full disk, is lost without disturbing what is recorded. */
export const openRecordingFile = async (path: string, options: { readonly force: boolean; readonly hint: string }) => {
  const handle = await open(path, options.force ? 'w' : 'wx', 0o600).catch((cause: unknown) => {
    throw new PlugboardError('INVALID_ARGUMENT', `${path} cannot be written, or already exists.`, {
      hint: options.hint,
      cause,
    });
  });
  const writer = handle.createWriteStream();
  let failure: string | undefined;
  const closed = new Promise<void>((resolve) => writer.once('close', resolve));
  writer.on('error', (error: NodeJS.ErrnoException) => {
    failure ??= error.code === 'ENOSPC' ? 'The disk is full.' : error.message;
  });
  const file: RecordingFile = {
    write: (text) => {
      if (failure === undefined) writer.write(text);
    },
    close: async () => {
      if (!writer.destroyed) writer.end();
      await closed;
      return failure;
    },
  };
  return file;
};
