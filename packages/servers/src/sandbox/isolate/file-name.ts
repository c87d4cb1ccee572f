const MAX_LENGTH = 200;
const SEGMENT = /^[\p{L}\p{N}_][\p{L}\p{N}_. -]*$/u;

/** Names of virtual files: relative, with `/` between plain segments. They never meet a file system of the host. */
export const isFileName = (name: string): boolean =>
  name.length <= MAX_LENGTH &&
  name.split('/').every((segment) => SEGMENT.test(segment) && !segment.endsWith('.') && !segment.endsWith(' '));

export const FILE_NAME_RULE =
  'A file name is made of letters, digits, "_", "-", "." and spaces, with "/" between folders; it is relative and at most 200 characters long.';
