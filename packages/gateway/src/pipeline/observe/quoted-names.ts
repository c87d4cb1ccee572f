const MAX_KEPT = 2000;

/** Names as JSON, each written once: the same few come with every call. */
export const quotedNames = (): ((name: string) => string) => {
  const known = new Map<string, string>();
  return (name) => {
    const found = known.get(name);
    if (found !== undefined) return found;
    const quoted = JSON.stringify(name);
    if (known.size >= MAX_KEPT) known.clear();
    known.set(name, quoted);
    return quoted;
  };
};
