import type { Server } from '@plugboard/contract';
import { type Era, type JsonObject, META_KEY } from '@plugboard/wire';
import { type CacheHint } from '../bridge/era-members.js';
import { toLegacyTool, toModernTool } from '../bridge/structured-output.js';
import type { McpCall } from '../call/mcp-call.js';
import type { CatalogueSource } from '../catalogue-source.js';
import { RawJson } from '../rpc/raw-json.js';
import { invalidParams } from '../rpc/rpc-refusal.js';
import type { OfferedTool } from '../scope/offered-tool.js';
import { runsTasks } from '../task/task-support.js';
import type { UpstreamPool } from '../upstream/upstream-pool.js';
import { catalogueOutcomes, OUTCOMES_META } from './server-outcomes.js';

interface Written {
  readonly eras: string;
  readonly text: string;
}

/** Changes are announced, so a list may be kept for a while. */
export const TOOLS_HINT: CacheHint = { ttlMs: 10_000, cacheScope: 'private' };

/** tools/list from the catalogue. The text of a list is written once and kept until its tools change. */
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

  answer(call: McpCall, serverInfo: JsonObject): RawJson {
    const { cursor } = call.params;
    if (typeof cursor === 'string') throw invalidParams('This cursor was not given out here.');
    const { era } = call.client.revision;
    const tools = this.#text(call, era);
    const outcomes =
      call.scope.kind === 'merged' ? { [OUTCOMES_META]: catalogueOutcomes(this.#catalogue, call.scope.servers()) } : {};
    const meta = era === 'modern' ? { [META_KEY.serverInfo]: serverInfo, ...outcomes } : outcomes;
    const metaText = Object.keys(meta).length === 0 ? '' : `,"_meta":${JSON.stringify(meta)}`;
    const envelope =
      era === 'modern'
        ? `"resultType":"complete","ttlMs":${TOOLS_HINT.ttlMs},"cacheScope":"${TOOLS_HINT.cacheScope}",`
        : '';
    return new RawJson(`{${envelope}"tools":${tools}${metaText}}`);
  }

  #text({ scope }: McpCall, era: Era): string {
    const tools = scope.tools();
    const eras = scope
      .servers()
      .map((server) => `${this.#eraOf(server)} ${this.#upstream.facts(server.id) === undefined}`)
      .join();
    const known = this.#written[era].get(tools);
    if (known?.eras === eras) return known.text;
    const text = JSON.stringify(tools.map((tool) => this.#shown(tool, era)));
    this.#written[era].set(tools, { eras, text });
    return text;
  }

  #shown(tool: OfferedTool, era: Era): JsonObject {
    if (tool.kind === 'local' || this.#eraOf(tool.server) === era) return tool.definition;
    if (era === 'modern') return toModernTool(tool.definition);
    const facts = this.#upstream.facts(tool.server.id);
    return toLegacyTool(tool.definition, { tasks: facts !== undefined && runsTasks(facts) });
  }

  /** Of a server that was never reached nothing needs translating. */
  #eraOf(server: Server): Era | undefined {
    return this.#upstream.facts(server.id)?.era ?? server.protocol?.era;
  }
}
