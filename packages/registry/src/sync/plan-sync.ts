import { isDeepStrictEqual } from 'node:util';
import { PlugboardError, type QuarantineRule, type ServerId, type ToolId } from '@plugboard/contract';
import type { StoredTool } from '../store/store.js';
import type { ExaminedTool } from './examine-tools.js';
import { quarantineAfter } from '../quarantine/quarantine.js';

export interface SyncInput {
  readonly serverId: ServerId;
  readonly known: readonly StoredTool[];
  readonly found: readonly ExaminedTool[];
  /** Names that the server listed although they cannot be stored as listed: what is stored under them stays. */
  readonly failedNames: readonly string[];
  readonly at: string;
  /** Which changes an operator has to approve. */
  readonly rule: QuarantineRule;
  readonly newToolId: (upstreamName: string) => ToolId;
}

export interface SyncPlan {
  readonly added: readonly string[];
  readonly updated: readonly string[];
  readonly deleted: readonly string[];
  /** Those among the added and updated that are now kept from agents. */
  readonly quarantined: readonly StoredTool[];
  /** Rows to insert or replace; more than was added and updated when only the order or a grade changed. */
  readonly put: readonly StoredTool[];
  /** Absent tools beyond what is remembered of a server. */
  readonly drop: readonly ToolId[];
}

const MAX_ABSENT = 10_000;

/** A tool that is known, as it is listed now. */
export const replaced = (known: StoredTool, found: ExaminedTool, updatedAt: string): StoredTool => ({
  ...known,
  position: found.position,
  definition: found.definition,
  grade: found.grade,
  providers: found.providers ?? (known.contractHash === found.contractHash ? known.providers : undefined),
  contractHash: found.contractHash,
  normalised: found.normalised,
  absentSince: undefined,
  updatedAt,
});

/** A tool that was never listed before. */
export const created = (
  found: ExaminedTool,
  { serverId, at, newToolId }: Pick<SyncInput, 'serverId' | 'at' | 'newToolId'>,
): StoredTool => ({
  id: newToolId(found.definition.name),
  serverId,
  upstreamName: found.definition.name,
  position: found.position,
  definition: found.definition,
  grade: found.grade,
  providers: found.providers,
  tags: [],
  switchedOff: false,
  contractHash: found.contractHash,
  normalised: found.normalised,
  quarantine: undefined,
  absentSince: undefined,
  createdAt: at,
  updatedAt: at,
});

/** What a person decided about a tool is never forgotten. */
const isUnmarked = ({ switchedOff, tags, quarantine }: StoredTool): boolean =>
  !switchedOff && tags.length === 0 && quarantine === undefined;

/**
 * A server that makes up new names all the time must not fill the store: the newest tools are forgotten first. So it cannot
 * push out an older tool to bring it back with another definition, as if that were the first.
 */
const tooManyAbsent = (absent: readonly StoredTool[]): readonly ToolId[] =>
  absent.length <= MAX_ABSENT
    ? []
    : absent
        .filter(isUnmarked)
        .toSorted((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt))
        .slice(0, absent.length - MAX_ABSENT)
        .map(({ id }) => id);

/**
 * Tools that changed and were then left out wait for approval for as long as it takes. A server that makes up ever new ones
 * must not fill the store with them, nor push out others.
 */
const assertNotFlooding = (absent: number, dropped: number): void => {
  if (absent - dropped <= MAX_ABSENT) return;
  throw new PlugboardError(
    'UPSTREAM_PROTOCOL',
    `The server left out ${MAX_ABSENT} changed tools that wait for approval.`,
    {
      hint: 'Ask its author why its tools keep changing. To start over, remove the server and add it again.',
    },
  );
};

/** What a new list of a server changes about the tools that are known, by the server's own names. */
export const planSync = (input: SyncInput): SyncPlan => {
  const knownByName = new Map(input.known.map((tool) => [tool.upstreamName, tool]));
  const listed = new Set([...input.found.map((tool) => tool.definition.name), ...input.failedNames]);
  const unlisted = input.known.filter((tool) => !listed.has(tool.upstreamName));
  const gone = unlisted.filter(({ absentSince }) => absentSince === undefined);
  const added: string[] = [];
  const updated: string[] = [];
  const put: StoredTool[] = [];
  for (const found of input.found) {
    const { name } = found.definition;
    const known = knownByName.get(name);
    if (known === undefined) {
      added.push(name);
      put.push(created(found, input));
      continue;
    }
    const isBack = known.absentSince !== undefined;
    if (isBack) added.push(name);
    if (known.contractHash !== found.contractHash) {
      if (!isBack) updated.push(name);
      put.push({ ...replaced(known, found, input.at), quarantine: quarantineAfter(known, found, input) });
    } else {
      const next = replaced(known, found, isBack ? input.at : known.updatedAt);
      if (!isDeepStrictEqual(next, known)) put.push(next);
    }
  }
  const leaving = gone.map((tool) => ({ ...tool, absentSince: input.at }));
  const absent = [...unlisted.filter(({ absentSince }) => absentSince !== undefined), ...leaving];
  const drop = new Set(tooManyAbsent(absent));
  assertNotFlooding(absent.length, drop.size);
  const changed = new Set([...added, ...updated]);
  return {
    added,
    updated,
    deleted: gone.map((tool) => tool.upstreamName),
    quarantined: put.filter(({ upstreamName, quarantine }) => quarantine !== undefined && changed.has(upstreamName)),
    put: [...put, ...leaving.filter(({ id }) => !drop.has(id))],
    drop: [...drop],
  };
};
