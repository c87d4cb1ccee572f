import { readFile } from 'node:fs/promises';
import type { CatalogueEntry, MonitorDrift, ToolDefinition } from '@plugboard/contract';
import { compareServers, gravest, type LockFile, parseLock, verifyLock, type Change } from '@plugboard/schema';

type Drift = Omit<MonitorDrift, 'since'>;

const MAX_CHANGES = 20;

const driftOf = (against: Drift['against'], changes: readonly Change[]): Drift | undefined => {
  const kind = gravest(changes);
  if (kind === undefined) return undefined;
  const words = changes.map(({ tool, sentence }) => (tool === '' ? sentence : `${tool}: ${sentence}`));
  return { against, kind, changes: words.slice(0, MAX_CHANGES) };
};

/** What a server offers now. */
export interface Live {
  readonly tools: readonly ToolDefinition[];
  readonly instructions: string;
}

/** How what a server offers now differs from what was accepted: its entry in the lock file, else the catalogue. */
export const contractDrift = (
  live: Live,
  { server, tools, definitions }: CatalogueEntry,
  lock: LockFile | undefined,
): Drift | undefined => {
  const locked = lock?.servers[server.server_name];
  if (locked !== undefined) return driftOf('lock-file', verifyLock(locked, live.tools, live.instructions).changes);
  if (tools.length === 0 || definitions === undefined) return undefined;
  // Tools that are withheld are not among the definitions.
  const withheld = new Set(tools.map(({ upstream_name }) => upstream_name).filter((name) => !definitions.has(name)));
  const compared = live.tools.filter(({ name }) => !withheld.has(name));
  return driftOf('catalogue', compareServers([...definitions.values()], compared));
};

/** The lock file; undefined when there is none or it cannot be read. */
export const readLockFile = async (
  path: string | undefined,
  warn: (reason: string) => void,
): Promise<LockFile | undefined> => {
  if (path === undefined) return undefined;
  try {
    return parseLock(await readFile(path, 'utf8'));
  } catch (error) {
    warn(error instanceof Error ? error.message : String(error));
    return undefined;
  }
};
