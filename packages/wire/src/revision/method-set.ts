/** A method set out of an earlier one: revisions differ by a few names. */
export const extendSet = (
  base: Iterable<string>,
  change: { readonly add?: readonly string[]; readonly drop?: readonly string[] },
): ReadonlySet<string> => {
  const dropped = new Set(change.drop);
  return new Set([...base, ...(change.add ?? [])].filter((method) => !dropped.has(method)));
};
