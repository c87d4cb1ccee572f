const escapeToken = (token: string): string =>
  token.includes('~') || token.includes('/') ? token.replaceAll('~', '~0').replaceAll('/', '~1') : token;

const unescapeToken = (token: string): string =>
  token.includes('~') ? token.replaceAll('~1', '/').replaceAll('~0', '~') : token;

/** `pointer` extended by member names or indexes, as RFC 6901 writes them. */
export const appendPointer = (pointer: string, ...tokens: readonly (string | number)[]): string => {
  let whole = pointer;
  for (const token of tokens) whole += `/${typeof token === 'number' ? token : escapeToken(token)}`;
  return whole;
};

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
