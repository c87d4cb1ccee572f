import { isDeepStrictEqual } from 'node:util';
import type { ServerId } from '@plugboard/contract';
import type { StoredTool } from '../store/store.js';
import type { ExaminedTool, Recall } from './examine-tools.js';

const MAX_REMEMBERED = 200_000;

const keyOf = (serverId: ServerId, name: string, contractHash: string): string => `${serverId} ${contractHash} ${name}`;

/**
 * Which tools this process has examined: what is stored of those need not be worked out again when their server lists them
 * unchanged. What another process stored may come from another version of the rules.
 */
export class ExaminedHere {
  readonly #known: (id: ServerId) => readonly StoredTool[];
  readonly #keys = new Set<string>();

  constructor(known: (id: ServerId) => readonly StoredTool[]) {
    this.#known = known;
  }

  note(id: ServerId, tools: readonly ExaminedTool[]): void {
    if (this.#keys.size + tools.length > MAX_REMEMBERED) this.#keys.clear();
    for (const { definition, contractHash } of tools) this.#keys.add(keyOf(id, definition.name, contractHash));
  }

  /** Finds what is stored of a definition that is still the same. */
  recall(id: ServerId): Recall {
    const stored = new Map(this.#known(id).map((tool) => [tool.upstreamName, tool]));
    return (definition, position) => {
      const known = stored.get(definition.name);
      if (known?.normalised === undefined || !this.#keys.has(keyOf(id, known.upstreamName, known.contractHash))) {
        return undefined;
      }
      if (!isDeepStrictEqual(definition, known.definition)) return undefined;
      const { grade, providers, contractHash, normalised } = known;
      return { definition, position, grade, providers, contractHash, normalised };
    };
  }
}
