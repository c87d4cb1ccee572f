import { stat } from 'node:fs/promises';

/** Whether the words of a command line name a file that exists. */
export const isFile = async (path: string): Promise<boolean> => {
  try {
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
};
