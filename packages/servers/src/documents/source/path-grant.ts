import { join, relative, sep } from 'node:path';
import { fileExists, isWithin } from '@plugboard/base';

/** Files that only the home of a hub has. A directory with one of them is never read: it holds keys. */
const HUB_FILES = ['master.key', 'hub.json', 'plugboard.db'] as const;

/** What the flags of the server allow and exclude, as real paths. */
export interface PathGrant {
  readonly allowed: readonly string[];
  readonly denied: readonly string[];
}

const isHubHome = async (directory: string): Promise<boolean> =>
  (await Promise.all(HUB_FILES.map((name) => fileExists(join(directory, name))))).includes(true);

/**
 * Why a path may not be read, if it may not. Of two directories that contain it, one allowed and one denied, the deeper
 * one decides, so that a directory inside a denied one can be allowed.
 */
export const exclusionOf = async ({ allowed, denied }: PathGrant, path: string): Promise<string | undefined> => {
  const [base] = allowed.filter((directory) => isWithin(directory, path)).toSorted((a, b) => b.length - a.length);
  if (base === undefined) return 'it is outside of the allowed directories';
  const parts = relative(base, path).split(sep);
  if (parts.some((part) => part.startsWith('.'))) return 'it is hidden or lies in a hidden directory';
  if (denied.some((entry) => isWithin(entry, path) && (entry === base || !isWithin(entry, base)))) {
    return 'it is excluded';
  }
  for (const index of parts.keys()) {
    if (await isHubHome(join(base, ...parts.slice(0, index)))) return 'it lies in the home of a hub';
  }
  return undefined;
};
