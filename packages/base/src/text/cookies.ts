/** The cookies of a request; the first of two equal names counts. */
export const cookiesIn = (field: string | undefined): ReadonlyMap<string, string> => {
  const cookies = new Map<string, string>();
  for (const pair of field?.split(';') ?? []) {
    const at = pair.indexOf('=');
    const name = pair.slice(0, at).trim();
    if (at > 0 && !cookies.has(name)) cookies.set(name, pair.slice(at + 1).trim());
  }
  return cookies;
};
