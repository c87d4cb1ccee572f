import { ORIGINS_META, type Server, type ServerStatus } from '@plugboard/contract';
import { legacyDefinition } from '@plugboard/schema';
import { type Era, isJsonObject, type JsonObject, META_KEY } from '@plugboard/wire';
import { type CacheHint } from '../../rpc/era-members.js';
import { toLegacyTool, toModernTool } from '../../forward/bridge/structured-output.js';
import type { McpCall } from '../../call/mcp-call.js';
import type { CatalogueSource } from '../catalogue/catalogue-source.js';
import { RawJson } from '../../rpc/raw-json.js';
import { invalidParams } from '../../rpc/rpc-refusal.js';
import type { OfferedTool, ServerTool } from '../../call/offered-tool.js';
import { runsTasks } from '../../connection/task-support.js';
import type { ServerFacts } from '../../connection/server-facts.js';
import type { UpstreamPool } from '../../connection/upstream-pool.js';
import { catalogueOutcomes, OUTCOMES_META, sameOutcome } from './server-outcomes.js';
import { toolOrigins } from './tool-origins.js';

/** What a list was made of beside its tools. */
interface Grounds {
  readonly facts: readonly (ServerFacts | undefined)[];
  readonly states: readonly ServerStatus[];
}

interface Written {
  readonly grounds: Grounds;
  readonly json: RawJson;
}

/** Changes are announced, so a list may be kept for a while. */
export const TOOLS_HINT: CacheHint = { ttlMs: 10_000, cacheScope: 'private' };

const MODERN_MEMBERS = `"resultType":"complete","ttlMs":${TOOLS_HINT.ttlMs},"cacheScope":"${TOOLS_HINT.cacheScope}",`;

/** tools/list from the catalogue. An answer is written once and kept until anything in it changes. */
export class ToolList {
  readonly #catalogue: CatalogueSource;
  readonly #upstream: UpstreamPool;
  readonly #written: Readonly<Record<Era, WeakMap<readonly OfferedTool[], Written>>> = {
    legacy: new WeakMap(),
    modern: new WeakMap(),
  };

  constructor(catalogue: CatalogueSource, upstream: UpstreamPool) {
    this.#catalogue = catalogue;
    this.#upstream = upstream;
  }

  /** `serverInfo` follows from what is known of the servers. */
  answer(
    { params, client, scope }: Pick<McpCall, 'params' | 'client' | 'scope'>,
    serverInfo: () => JsonObject,
  ): RawJson {
    if (typeof params['cursor'] === 'string') throw invalidParams('The cursor was not issued by this endpoint.');
    const { era } = client.revision;
    const tools = scope.tools();
    const servers = scope.servers();
    const asked = isJsonObject(params['_meta']) && params['_meta'][ORIGINS_META] === true;
    const known = asked ? undefined : this.#written[era].get(tools);
    if (known !== undefined && this.#stillHolds(known.grounds, servers, era)) return known.json;
    const grounds: Grounds = {
      facts: servers.map(({ id }) => this.#upstream.facts(id, era)),
      states: servers.map(({ id }) => this.#catalogue.status(id)),
    };
    const meta = {
      ...(era === 'modern' ? { [META_KEY.serverInfo]: serverInfo() } : {}),
      ...(scope.kind === 'merged' ? { [OUTCOMES_META]: catalogueOutcomes(this.#catalogue, servers) } : {}),
      ...(asked ? { [ORIGINS_META]: toolOrigins(tools) } : {}),
    };
    const metaText = Object.keys(meta).length === 0 ? '' : `,"_meta":${JSON.stringify(meta)}`;
    const text = JSON.stringify(tools.map((tool) => this.#shown(tool, era)));
    const json = new RawJson(`{${era === 'modern' ? MODERN_MEMBERS : ''}"tools":${text}${metaText}}`);
    if (!asked) this.#written[era].set(tools, { grounds, json });
    return json;
  }

  #stillHolds({ facts, states }: Grounds, servers: readonly Server[], era: Era): boolean {
    if (facts.length !== servers.length) return false;
    for (const [index, { id }] of servers.entries()) {
      if (!sameOutcome(this.#catalogue.status(id), states[index])) return false;
      if (this.#upstream.facts(id, era) !== facts[index]) return false;
    }
    return true;
  }

  #shown(tool: OfferedTool, era: Era): JsonObject {
    const isTranslated = tool.kind === 'server' && (tool.readIn ?? this.#eraOf(tool.server)) !== era;
    if (era === 'modern') return isTranslated ? toModernTool(tool.definition) : tool.definition;
    return legacyDefinition(isTranslated ? this.#toLegacy(tool) : tool.definition);
  }

  #toLegacy({ definition, server }: ServerTool): JsonObject {
    const facts = this.#upstream.facts(server.id, 'legacy');
    return toLegacyTool(definition, { tasks: facts !== undefined && runsTasks(facts) });
  }

  /** The era that the list was read in. Of a server that was never reached nothing needs translating. */
  #eraOf(server: Server): Era | undefined {
    return this.#upstream.facts(server.id)?.era ?? server.protocol?.era;
  }
}
