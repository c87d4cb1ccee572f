import { MAX_NAME_LENGTH } from '@plugboard/schema';
import type { Behind } from './behind.js';

const PLAIN = /^[a-zA-Z0-9_-]+$/u;

/** Whether every provider takes a tool of this name. */
export const isTaken = (name: string): boolean => PLAIN.test(name) && name.length <= MAX_NAME_LENGTH;

/** The server that a name of the aggregate belongs to: that with the longest prefix of it. */
export const ownerOf = <T extends Pick<Behind, 'prefix'>>(name: string, servers: readonly T[]): T | undefined =>
  servers
    .filter(({ prefix }) => name.startsWith(prefix))
    .toSorted((one, other) => other.prefix.length - one.prefix.length)[0];

const count = (names: readonly string[]): string => names.join(', ');

/**
 * How a list differs from the union of the lists behind it. A name that does not fit behind its prefix, or would stand
 * there twice, may be another in the aggregate; then only the number counts.
 */
export const differencesFromUnion = (listed: readonly string[], servers: readonly Behind[]): readonly string[] => {
  const shown = (tools: readonly string[], prefix: string): readonly string[] => tools.map((tool) => prefix + tool);
  const all = servers.flatMap(({ prefix, tools }) => shown(tools ?? [], prefix));
  const mayKeep = (name: string): boolean => isTaken(name) && all.indexOf(name) === all.lastIndexOf(name);
  return servers.flatMap((server) => {
    const { prefix, tools, dead } = server;
    if (tools === undefined || dead) return [];
    const names = shown(tools, prefix);
    const kept = names.filter(mayKeep);
    const renamed = names.length - kept.length;
    const missing = kept.filter((name) => !listed.includes(name));
    const further = listed.filter((name) => ownerOf(name, servers) === server && !kept.includes(name));
    return [
      ...missing.map((name) => `${name} is missing.`),
      ...(further.length < renamed ? [`${renamed - further.length} tools are missing behind ${prefix}.`] : []),
      ...(further.length > renamed
        ? [`${prefix} has ${further.length - renamed} more than the server, among ${count(further)}.`]
        : []),
    ];
  });
};
