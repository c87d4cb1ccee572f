import { lstat, readlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/** As many as the system follows. */
const MAX_LINKS = 40;

const isLink = (path: string): Promise<boolean> =>
  lstat(path).then(
    (found) => found.isSymbolicLink(),
    () => false,
  );

/** The symbolic links on the way to a path, each by the place where it really lies. */
export const linksOn = async (path: string): Promise<readonly string[]> => {
  const links: string[] = [];
  let reached = '/';
  let rest = resolve('/', path).split('/').filter(Boolean);
  while (rest.length > 0 && links.length < MAX_LINKS) {
    const [name = '', ...after] = rest;
    const next = join(reached, name);
    if (await isLink(next)) {
      links.push(next);
      const target = resolve(dirname(next), await readlink(next));
      reached = '/';
      rest = [...target.split('/').filter(Boolean), ...after];
    } else {
      reached = next;
      rest = after;
    }
  }
  return links;
};
