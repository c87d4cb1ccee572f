/** Where an endpoint leaves the names of the members of the body it was given. */
export const BODY_MEMBERS = 'bodyMembers';

const MAX_PATHS = 100;
const MAX_DEPTH = 4;
/** Names may be invented by the caller. */
const MAX_CHARACTERS = 128;

const walk = (value: unknown, path: string, depth: number, paths: string[]): void => {
  if (paths.length >= MAX_PATHS) return;
  const members =
    typeof value !== 'object' || value === null || Array.isArray(value) || depth === MAX_DEPTH
      ? []
      : Object.keys(value);
  if (members.length === 0 && path !== '') {
    paths.push(path.length > MAX_CHARACTERS ? `${path.slice(0, MAX_CHARACTERS)}…` : path);
  }
  for (const name of members.slice(0, MAX_PATHS)) {
    const member = (value as Readonly<Record<string, unknown>>)[name];
    walk(member, path === '' ? name : `${path}.${name}`, depth + 1, paths);
  }
};

/** Which members a body has, as paths without values: who changed what, and never to what. */
export const memberPaths = (value: unknown): readonly string[] => {
  const paths: string[] = [];
  walk(value, '', 0, paths);
  return paths;
};
