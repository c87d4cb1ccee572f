import { DocumentError } from '../document-error.js';

const LONGEST = 4096;

/** What is wrong with the form of a path, whatever may lie there. */
const fault = (path: string): string | undefined => {
  if (path === '' || path.length > LONGEST) return 'it is empty or too long';
  if (/[\u0000-\u001F]/u.test(path)) return 'it has control characters';
  if (/^[A-Za-z]:/u.test(path) || path.includes('\\')) return 'it has the form of a Windows path';
  if (/^[A-Za-z][A-Za-z0-9+.-]+:/u.test(path)) return 'it is an address, not a path';
  if (path.startsWith('//')) return 'it names another machine';
  if (path.split('/').includes('..')) return 'it climbs to a parent directory';
  return undefined;
};

export const pathRefused = (why: string): DocumentError =>
  new DocumentError('PATH_REFUSED', `The path is refused: ${why}.`, 'Give a path inside an allowed directory.');

/** Refuses forms that mean different things to different programs, before anything is looked up. */
export const checkPathForm = (path: string): void => {
  const why = fault(path);
  if (why !== undefined) throw pathRefused(why);
};
