import { access } from 'node:fs/promises';

/** Whether something is at this path, and this process can see it. */
export const fileExists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
