import { conformanceServer, fakeServerCommand, type Eras } from '@plugboard/testing';

export type UpstreamTransport = 'http' | 'stdio' | 'sse';

export interface FixtureUpstream extends AsyncDisposable {
  /** The configuration under which a hub reaches it. */
  readonly config: object;
  /** Where the suite reaches it directly; only over Streamable HTTP. */
  readonly url: string | undefined;
}

/** The conformance fixture as an upstream: over stdio a real process, which the hub starts. */
export const startFixture = async (eras: Eras, transport: UpstreamTransport): Promise<FixtureUpstream> => {
  if (transport === 'stdio') {
    const { command, args } = fakeServerCommand({ fixture: 'conformance', eras });
    return {
      config: { mcp_server_type: 'stdio', command, args },
      url: undefined,
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
  }
  const server = conformanceServer({ eras });
  const { url } = await (transport === 'sse' ? server.listenSse() : server.listenHttp());
  return {
    config: { mcp_server_type: transport === 'sse' ? 'sse' : 'streamable_http', server_url: url },
    url: transport === 'http' ? url : undefined,
    [Symbol.asyncDispose]: () => server.close(),
  };
};
