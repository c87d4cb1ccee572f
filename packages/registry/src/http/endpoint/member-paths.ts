/** Where an endpoint leaves the names of the members of the body it was given. */
export const BODY_MEMBERS = 'bodyMembers';

const MAX_PATHS = 100;
const MAX_DEPTH = 4;

/** Which members a body has, as paths without values: who changed what, and never to what. */
export const memberPaths = (value: unknown, prefix = '', depth = 0): readonly string[] => {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || depth === MAX_DEPTH) {
    return prefix === '' ? [] : [prefix];
  }
  const members = Object.entries(value);
  if (members.length === 0) return prefix === '' ? [] : [prefix];
  return members
    .flatMap(([name, member]) => memberPaths(member, prefix === '' ? name : `${prefix}.${name}`, depth + 1))
    .slice(0, MAX_PATHS);
};
