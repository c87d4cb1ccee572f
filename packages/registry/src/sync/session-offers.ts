import { setImmediate as nextTurn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import {
  jsonSize,
  type QuarantineRule,
  type ServerId,
  type SessionList,
  type SessionOffer,
  type Tool,
  type ToolDefinition,
} from '@plugboard/contract';
import { contractHash, repairDefinition, nameBeside } from '@plugboard/schema';
import type { Catalogue, KnownServer } from '../catalogue/catalogue.js';
import { toTool } from '../catalogue/to-tool.js';
import { isoTime, type Clock } from '../port/clock.js';
import type { Store, StoredTool } from '../store/store.js';
import { examineTools } from './examine-tools.js';
import { created, replaced } from './plan-sync.js';
import { quarantineAfter } from '../quarantine/quarantine.js';
import { toolIdOf } from './tool-id.js';

export interface SessionOffersOptions {
  readonly catalogue: Catalogue;
  readonly store: Pick<Store, 'transaction'>;
  readonly clock: Clock;
  readonly quarantineRule: QuarantineRule;
}

type Rows = ReadonlyMap<string, StoredTool>;

/** What a session may have of one server that others have not; what comes after that in its list is left out. */
const MAX_TOOLS = 200;
const MAX_CHARACTERS = 1_000_000;
/** For so long definitions are compared before other requests get their turn. */
const TURN_MS = 10;

const isSame = (definition: ToolDefinition, stored: StoredTool | undefined): boolean =>
  stored !== undefined &&
  (isDeepStrictEqual(definition, stored.definition) || contractHash(definition) === stored.contractHash);

/** The definitions that the catalogue has not, as far as there is room for them. */
const differing = async ({ definitions, sameInEra }: SessionList, stored: Rows): Promise<readonly ToolDefinition[]> => {
  const found: ToolDefinition[] = [];
  let room = MAX_CHARACTERS;
  let turnStartedAt = performance.now();
  for (const definition of definitions) {
    if (performance.now() - turnStartedAt > TURN_MS) {
      await nextTurn();
      turnStartedAt = performance.now();
    }
    const known = stored.get(definition.name);
    if (isSame(definition, known) || (known !== undefined && sameInEra?.has(definition.name) === true)) continue;
    room -= jsonSize(definition, room);
    if (room >= 0 && found.length < MAX_TOOLS) found.push(definition);
  }
  return found;
};

/**
 * What servers offer to single sessions. It is graded, repaired and withheld by the same rules as what they offer to all:
 * a tool that an operator switched off, or that waits for approval, cannot come back by way of a session.
 */
export class SessionOffers {
  readonly #options: SessionOffersOptions;
  /** The tools behind an offer, for as long as the offer is kept: later definitions are compared with these. */
  readonly #rows = new WeakMap<SessionOffer, Rows>();

  constructor(options: SessionOffersOptions) {
    this.#options = options;
  }

  /** Undefined when the session's list is that of the catalogue. */
  async compare(id: ServerId, list: SessionList): Promise<SessionOffer | undefined> {
    const known = this.#options.catalogue.get(id);
    if (known === undefined) return undefined;
    const stored = new Map(known.storedTools.map((tool) => [tool.upstreamName, tool]));
    const { tools: found } = await examineTools(await differing(list, stored), { judges: false });
    const listed = new Set(list.definitions.map(({ name }) => name));
    const hidden = new Set([...stored.keys()].filter((name) => !listed.has(name)));
    if (found.length === 0 && hidden.size === 0) return undefined;
    const isNew = found.some(({ definition }) => !stored.has(definition.name));
    const absent = isNew ? await this.#absent(id) : new Map<string, StoredTool>();
    const earlier: Rows = (list.before && this.#rows.get(list.before)) ?? new Map<string, StoredTool>();
    const at = isoTime(this.#options.clock.now());
    const rows = found.map((tool): StoredTool => {
      const { name } = tool.definition;
      const before = stored.get(name) ?? absent.get(name) ?? earlier.get(name);
      if (before === undefined) return created(tool, { serverId: id, at, newToolId: (own) => toolIdOf(id, own) });
      const quarantine = quarantineAfter(before, tool, { rule: this.#options.quarantineRule, at });
      return { ...replaced(before, tool, at), quarantine };
    });
    return this.#offer(known, rows, hidden);
  }

  #offer(known: KnownServer, rows: readonly StoredTool[], hidden: ReadonlySet<string>): SessionOffer {
    const { server_name } = known.stored.server;
    const names = this.#names(known, rows);
    const offer: SessionOffer = {
      tools: rows.map((row) => toTool(row, server_name, names.get(row.upstreamName) ?? row.upstreamName)),
      definitions: new Map(
        rows.map(({ upstreamName, definition, grade }) => [
          upstreamName,
          repairDefinition(definition, grade).definition,
        ]),
      ),
      hidden,
    };
    this.#rows.set(offer, new Map(rows.map((row) => [row.upstreamName, row])));
    return offer;
  }

  /** Names that models see. Those of the catalogue stay what they are for everybody. */
  #names({ stored, tools }: KnownServer, rows: readonly StoredTool[]): ReadonlyMap<string, string> {
    const server = stored.server.server_name;
    const own = new Map(tools.map(({ upstream_name, name }) => [upstream_name, name]));
    const taken = new Set(this.#options.catalogue.all().flatMap((each) => each.tools.map(({ name }: Tool) => name)));
    for (const { upstreamName } of rows) {
      if (own.has(upstreamName)) continue;
      const key = JSON.stringify([server, upstreamName]);
      const name = nameBeside({ key, server, tool: upstreamName }, taken);
      own.set(upstreamName, name);
      taken.add(name);
    }
    return own;
  }

  /** Tools that the server once listed for everybody: what was decided about them still holds. */
  async #absent(id: ServerId): Promise<Rows> {
    const rows = await this.#options.store.transaction((transaction) => transaction.tools(id));
    return new Map(
      rows.filter(({ absentSince }) => absentSince !== undefined).map((row) => [row.upstreamName, row] as const),
    );
  }
}
