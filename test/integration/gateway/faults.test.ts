import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { deadPort, fakeServerCommand, hangingServer, rawHttpClient } from '@plugboard/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hubCall } from '../../support/hub-call.js';
import { startRealHub, type RealHub } from '../../support/real-hub.js';
import { addServer, httpConfig, startRig } from './rig.js';

const connect = async (url: URL): Promise<Client> => {
  const client = new Client({ name: 'probe', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(url));
  return client;
};

const textOf = async (client: Client, name: string, args: Record<string, unknown> = {}): Promise<string> => {
  const { content } = await client.callTool({ name, arguments: args });
  return (content as { text: string }[])[0]?.text ?? '';
};

const stdioConfig = (tools: readonly string[]): object => {
  const { command, args } = fakeServerCommand({ tools: tools as never });
  return { mcp_server_type: 'stdio', command, args };
};

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

const eventually = async (check: () => boolean): Promise<void> => {
  for (let attempt = 0; attempt < 600 && !check(); attempt += 1) await new Promise((next) => setTimeout(next, 50));
  expect(check()).toBe(true);
};

describe('a stdio server', () => {
  let hub: RealHub;
  beforeAll(async () => {
    hub = await startRealHub();
    await addServer(hub, 'child', stdioConfig(['pid', 'echo', 'counter']));
  });
  afterAll(async () => {
    await hub.close();
  });

  it('is started again after kill -9, and the same client notices nothing', async () => {
    const client = await connect(new URL('/servers/child/mcp', hub.url));
    const pid = Number(await textOf(client, 'pid'));
    process.kill(pid, 'SIGKILL');
    await eventually(() => !isAlive(pid));
    expect(await textOf(client, 'echo', { text: 'still here' })).toBe('still here');
    expect(Number(await textOf(client, 'pid'))).not.toBe(pid);
    await client.close();
  });

  it('keeps two clients apart, and ends with the session that it served', async () => {
    const url = new URL('/servers/child/mcp', hub.url);
    const [one, two] = [await connect(url), await connect(url)];
    expect([await textOf(one, 'counter'), await textOf(one, 'counter')]).toEqual(['1', '2']);
    expect(await textOf(two, 'counter')).toBe('1');
    const pid = Number(await textOf(one, 'pid'));
    expect(Number(await textOf(two, 'pid'))).not.toBe(pid);
    await (one.transport as StreamableHTTPClientTransport).terminateSession();
    await one.close();
    await eventually(() => !isAlive(pid));
    expect(await textOf(two, 'counter')).toBe('2');
    await two.close();
  });
});

describe('an HTTP server', () => {
  it('that forgot its sessions is greeted again behind the back of the client', async () => {
    await using rig = await startRig({ tools: ['echo'] });
    const client = await connect(rig.url);
    expect(await textOf(client, 'echo', { text: 'a' })).toBe('a');
    rig.server.dropSessions();
    expect(await textOf(client, 'echo', { text: 'b' })).toBe('b');
    await client.close();
  });

  it('that hangs in a call delays nobody else, and hears when its caller leaves', async () => {
    let left = false;
    const hang = {
      name: 'wait',
      inputSchema: { type: 'object' },
      handler: (_args: object, { signal }: { readonly signal: AbortSignal }) =>
        new Promise<string>((resolve) => {
          signal.addEventListener('abort', () => {
            left = true;
            resolve('');
          });
        }),
    };
    await using rig = await startRig({ tools: ['echo', hang], eras: 'modern' });
    const raw = rawHttpClient(rig.url.href, { era: 'modern' });
    const gone = new AbortController();
    const hanging = raw.request('tools/call', { name: 'wait', arguments: {} }, { signal: gone.signal });
    await rig.server.log.arrival('tools/call');
    const answer = await raw.request('tools/call', { name: 'echo', arguments: { text: 'x' } });
    expect(answer.response?.result).toMatchObject({ content: [{ text: 'x' }] });
    gone.abort();
    await expect(hanging).rejects.toThrow('abort');
    await eventually(() => left);
  });
});

describe('one dead and one hanging server among others', () => {
  it('delay neither the start, nor a list, nor a call', async () => {
    const dead = await deadPort();
    const hanging = await hangingServer();
    await using rig = await startRig({ tools: ['echo'] });
    try {
      await addServer(rig.hub, 'dead', httpConfig(dead.url));
      // Registering waits for the first sync, which this server never answers.
      const registering = addServer(rig.hub, 'hanging', httpConfig(`http://127.0.0.1:${hanging.port}/mcp`));
      let registered = false;
      void registering.catch(() => undefined).finally(() => (registered = true));
      const known = async (): Promise<object> => (await hubCall(rig.hub.url, 'GET', '/servers')).json as object;
      while (!('hanging' in (await known()))) await new Promise((next) => setTimeout(next, 20));
      const client = await connect(rig.merged);
      const { tools, _meta } = await client.listTools();
      expect(tools.map((tool) => tool.name)).toEqual(['fake__echo']);
      expect(Object.keys(_meta?.['dev.plugboard/servers'] as object)).toEqual(['dead', 'fake', 'hanging']);
      expect(await textOf(client, 'fake__echo', { text: 'ok' })).toBe('ok');
      // Its own first list is still awaited, up to the deadline of half a minute.
      expect(registered).toBe(false);
      await client.close();
    } finally {
      await hanging.close();
    }
  });
});
