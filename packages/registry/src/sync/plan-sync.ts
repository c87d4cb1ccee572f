import { isDeepStrictEqual } from 'node:util';
import type { QuarantineRule, ServerId, ToolId } from '@plugboard/contract';
import type { StoredTool } from '../store/store.js';
import type { ExaminedTool } from './examine-tools.js';
import { quarantineAfter } from './quarantine.js';

export interface SyncInput {
  readonly serverId: ServerId;
  readonly known: readonly StoredTool[];
  readonly found: readonly ExaminedTool[];
  /** Names that the server listed although they cannot be stored as listed: what is stored under them stays. */
  readonly failedNames: readonly string[];
  readonly at: string;
  /** Which changes an operator has to approve. */
  readonly rule: QuarantineRule;
  readonly newToolId: () => ToolId;
}

export interface SyncPlan {
  readonly added: readonly string[];
  readonly updated: readonly string[];
  readonly deleted: readonly string[];
  /** Those among the updated that are now kept from agents. */
  readonly quarantined: readonly StoredTool[];
  /** Rows to insert or replace; more than was added and updated when only the order or a grade changed. */
  readonly put: readonly StoredTool[];
  readonly drop: readonly ToolId[];
}

const replaced = (known: StoredTool, found: ExaminedTool, updatedAt: string): StoredTool => ({
  ...known,
  position: found.position,
  definition: found.definition,
  grade: found.grade,
  providers: found.providers,
  contractHash: found.contractHash,
  updatedAt,
});

const created = (found: ExaminedTool, { serverId, at, newToolId }: SyncInput): StoredTool => ({
  id: newToolId(),
  serverId,
  upstreamName: found.definition.name,
  position: found.position,
  definition: found.definition,
  grade: found.grade,
  providers: found.providers,
  tags: [],
  switchedOff: false,
  contractHash: found.contractHash,
  quarantine: undefined,
  createdAt: at,
  updatedAt: at,
});

/** What a new list of a server changes about the tools that are known, by the server's own names. */
export const planSync = (input: SyncInput): SyncPlan => {
  const knownByName = new Map(input.known.map((tool) => [tool.upstreamName, tool]));
  const listed = new Set([...input.found.map((tool) => tool.definition.name), ...input.failedNames]);
  const gone = input.known.filter((tool) => !listed.has(tool.upstreamName));
  const added: string[] = [];
  const updated: string[] = [];
  const put: StoredTool[] = [];
  for (const found of input.found) {
    const { name } = found.definition;
    const known = knownByName.get(name);
    if (known === undefined) {
      added.push(name);
      put.push(created(found, input));
    } else if (known.contractHash !== found.contractHash) {
      updated.push(name);
      put.push({ ...replaced(known, found, input.at), quarantine: quarantineAfter(known, found, input) });
    } else {
      const next = replaced(known, found, known.updatedAt);
      if (!isDeepStrictEqual(next, known)) put.push(next);
    }
  }
  const changed = new Set(updated);
  return {
    added,
    updated,
    deleted: gone.map((tool) => tool.upstreamName),
    quarantined: put.filter(({ upstreamName, quarantine }) => quarantine !== undefined && changed.has(upstreamName)),
    put,
    drop: gone.map((tool) => tool.id),
  };
};
