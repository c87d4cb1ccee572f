/** A host without the brackets that URLs put around IPv6, without a dot at its end, in lower case. */
export const plainHost = (host: string): string =>
  host
    .toLowerCase()
    .replaceAll(/^\[|\]$/gu, '')
    .replace(/\.$/u, '');
