import type { ToolDefinition } from '@plugboard/contract';
import type { Change } from './change.js';
import { compareServers } from './compare-servers.js';
import { contractHash } from './contract-hash.js';
import type { LockedServer } from './lock-file.js';
import { textDifference } from './text-difference.js';

/** `intact`: what the server offers is what was accepted, and the lock was not edited by hand. */
export interface LockVerdict {
  readonly intact: boolean;
  readonly changes: readonly Change[];
  /** Tools whose recorded hash does not belong to their recorded definition. */
  readonly edited: readonly string[];
}

/** Compares what a server offers now with what was pinned. */
export const verifyLock = (
  locked: LockedServer,
  tools: readonly ToolDefinition[],
  instructions?: string,
  server?: string,
): LockVerdict => {
  const entries = Object.entries(locked.tools);
  const edited = entries
    .filter(([name, { hash, definition }]) => definition.name !== name || contractHash(definition) !== hash)
    .map(([name]) => name);
  const changes = [
    ...compareServers(
      entries.map(([, { definition }]) => definition),
      tools,
    ),
  ];
  if (instructions !== undefined && instructions !== (locked.instructions ?? '')) {
    const difference = textDifference(locked.instructions ?? '', instructions);
    changes.unshift({
      kind: 'instruction',
      code: 'text-changed',
      tool: '',
      pointer: '/instructions',
      sentence: `The instructions of the server changed; the model reads this text: ${difference}.`,
    });
  }
  if (server !== undefined && locked.server !== undefined && server !== locked.server) {
    changes.unshift({
      kind: 'instruction',
      code: 'server-renamed',
      tool: '',
      pointer: '/serverInfo/name',
      sentence: `The server calls itself "${server}"; the lock was made from one that called itself "${locked.server}".`,
    });
  }
  return { intact: changes.length === 0 && edited.length === 0, changes, edited };
};
