/** Postgres stores no NUL in a text, so none is stored anywhere. Programs may print one. */
export const storableText = (text: string): string => text.replaceAll('\0', '\uFFFD');
