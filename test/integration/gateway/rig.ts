import { fakeServer, type FakeServer, type FakeServerOptions } from '@plugboard/testing';
import { hubCall } from '../../support/hub-call.js';
import { startRealHub, type RealHub } from '../../support/real-hub.js';

export interface GatewayRig extends AsyncDisposable {
  readonly hub: RealHub;
  readonly server: FakeServer;
  /** The endpoint of the one server. */
  readonly url: URL;
  readonly merged: URL;
}

/** Registers a server with any config. */
export const addServer = async (hub: RealHub, name: string, config: object): Promise<void> => {
  const answer = await hubCall(hub.url, 'POST', '/v1/mcp-servers', { server_name: name, config });
  if (answer.status >= 300) throw new Error(`cannot register ${name}: ${JSON.stringify(answer.json)}`);
};

export const httpConfig = (url: string, extra: object = {}): object => ({
  mcp_server_type: 'streamable_http',
  server_url: url,
  ...extra,
});

/** The composed hub in front of one fake server. */
export const startRig = async (options: FakeServerOptions, config: object = {}): Promise<GatewayRig> => {
  const server = fakeServer(options);
  const listener = await server.listenHttp();
  const hub = await startRealHub();
  await addServer(hub, 'fake', httpConfig(listener.url, config));
  return {
    hub,
    server,
    url: new URL('/servers/fake/mcp', hub.url),
    merged: new URL('/mcp', hub.url),
    [Symbol.asyncDispose]: async () => {
      await hub.close();
      await server.close();
    },
  };
};
