import { sha256 } from '@plugboard/schema';

const MAX_LENGTH = 64;
const HASH_LENGTH = 8;

/** Gives names out, each once. The second that asks for a name gets it with a suffix that depends on its key alone. */
export const nameGiver = (reserved: readonly string[] = []): ((wanted: string, key: string) => string) => {
  const taken = new Set(reserved);
  return (wanted, key) => {
    const suffix = `_${sha256(key).slice(0, HASH_LENGTH)}`;
    const name = taken.has(wanted) ? wanted.slice(0, MAX_LENGTH - suffix.length) + suffix : wanted;
    taken.add(name);
    return name;
  };
};
