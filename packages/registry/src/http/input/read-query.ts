/** The query of a URL; a member that is given twice becomes an array, which no schema takes by accident. */
export const readQuery = (url: string): Record<string, string | string[]> => {
  const found = new Map<string, string | string[]>();
  for (const [name, value] of new URL(url).searchParams) {
    const before = found.get(name);
    found.set(name, before === undefined ? value : [before, value].flat());
  }
  return Object.fromEntries(found);
};
