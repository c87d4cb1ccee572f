import type { IncomingMessage } from 'node:http';
import type { CatalogueSnapshot, Server } from '@plugboard/contract';

interface Names {
  readonly servers: ReadonlyMap<string, Server>;
  /** By the names of tools at the endpoint of all servers. */
  readonly tools: ReadonlyMap<string, Server>;
}

const readNames = ({ entries }: CatalogueSnapshot): Names => ({
  servers: new Map(entries.map(({ server }) => [server.server_name, server])),
  tools: new Map(
    entries
      .filter(({ server }) => server.config.mcp_server_type === 'stdio')
      .flatMap(({ server, tools }) => tools.map(({ name }) => [name, server] as const)),
  ),
});

export interface ServerNamesOptions {
  readonly snapshot: () => CatalogueSnapshot;
  readonly aliases: Readonly<Record<string, string>>;
}

/**
 * Finds the server that a request outside a session is about. Clients of the modern era name what they call in a header;
 * plain REST names it in the path.
 */
export class ServerNames {
  readonly #options: ServerNamesOptions;
  #known: { readonly of: CatalogueSnapshot; readonly names: Names } | undefined;

  constructor(options: ServerNamesOptions) {
    this.#options = options;
  }

  /** Undefined when it is about none, or about several. */
  serverOf(
    { method, headers }: Pick<IncomingMessage, 'method' | 'headers'>,
    segments: readonly string[],
  ): Server | undefined {
    if (method !== 'POST') return undefined;
    const [area, name = '', what] = segments;
    const isModern = headers['mcp-method'] !== undefined;
    if (area === 'servers' && (what === 'tools' || (what === 'mcp' && isModern))) {
      const { servers } = this.#names();
      return servers.get(name) ?? servers.get(this.#options.aliases[name] ?? '');
    }
    const tool = headers['mcp-name'];
    return area === 'mcp' && isModern && typeof tool === 'string' ? this.#names().tools.get(tool) : undefined;
  }

  #names(): Names {
    const snapshot = this.#options.snapshot();
    if (this.#known?.of !== snapshot) this.#known = { of: snapshot, names: readNames(snapshot) };
    return this.#known.names;
  }
}
