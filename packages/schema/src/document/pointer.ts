const escapeToken = (token: string): string => token.replaceAll('~', '~0').replaceAll('/', '~1');

const unescapeToken = (token: string): string => token.replaceAll('~1', '/').replaceAll('~0', '~');

/** `pointer` extended by member names or indexes, as RFC 6901 writes them. */
export const appendPointer = (pointer: string, ...tokens: readonly (string | number)[]): string =>
  tokens.reduce<string>((whole, token) => `${whole}/${escapeToken(String(token))}`, pointer);

/** The tokens of a pointer; undefined when it is not one. */
export const parsePointer = (pointer: string): readonly string[] | undefined => {
  if (pointer === '') return [];
  return pointer.startsWith('/') ? pointer.slice(1).split('/').map(unescapeToken) : undefined;
};

/** What a pointer leads to; undefined when it leads nowhere. */
export const lookUp = (root: unknown, pointer: string): unknown => {
  const tokens = parsePointer(pointer);
  if (tokens === undefined) return undefined;
  let current: unknown = root;
  for (const token of tokens) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, token)) return undefined;
    current = (current as Readonly<Record<string, unknown>>)[token];
  }
  return current;
};
