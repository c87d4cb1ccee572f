const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]', '::1']);

const hostnameOf = (authority: string): string | undefined => {
  try {
    return new URL(`http://${authority}`).hostname;
  } catch {
    return undefined;
  }
};

/** The protection against DNS rebinding that the specification demands: foreign Host and Origin are refused. */
export const isForeign = (headers: Readonly<Record<string, string>>, allowed: readonly string[] = []): boolean => {
  const known = (name: string | undefined): boolean =>
    name !== undefined && (LOOPBACK.has(name) || allowed.includes(name));
  const origin = headers['origin'];
  if (!known(hostnameOf(headers['host'] ?? ''))) return true;
  return origin !== undefined && !known(hostnameOf(origin.replace(/^https?:\/\//, '')));
};
