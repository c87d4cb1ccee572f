import { isAbsolute, relative, sep } from 'node:path';

/** Is the path the directory, or below it? Both are absolute and normalised. */
export const isWithin = (directory: string, path: string): boolean => {
  const way = relative(directory, path);
  // On Windows the way to another drive is absolute.
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
};
