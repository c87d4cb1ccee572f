import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

export interface SurplusServer extends AsyncDisposable {
  readonly url: string;
  /** How many connections calls came over. */
  readonly connections: Set<Socket>;
}

type Id = string | number;

/** Which ids a forged answer carries, when the one before was this. */
export type Forge = (last: Id) => readonly Id[];

interface Message {
  readonly id?: Id;
  readonly method: string;
  readonly params?: { readonly name?: string; readonly arguments?: { readonly who?: string } };
}

const plain = (body: string): string =>
  `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

/**
 * A server with a defect that one caller can make use of: after its tool `split`, an answer that the caller wrote stands
 * on the connection before the answer to the next call.
 */
export const surplusServer = async (era: 'legacy' | 'modern', forge: Forge): Promise<SurplusServer> => {
  const connections = new Set<Socket>();
  const result = (id: Id, members: object): string =>
    plain(
      JSON.stringify({
        jsonrpc: '2.0',
        id,
        result: era === 'modern' ? { resultType: 'complete', ...members } : members,
      }),
    );
  const text = (id: Id, said: string): string => result(id, { content: [{ type: 'text', text: said }] });
  const tools = ['mine', 'split'].map((name) => ({ name, inputSchema: { type: 'object' } }));
  const answers: Readonly<Record<string, object>> = {
    ...(era === 'modern'
      ? { 'server/discover': { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } } }
      : {
          initialize: {
            protocolVersion: '2025-11-25',
            capabilities: { tools: {} },
            serverInfo: { name: 's', version: '1' },
          },
        }),
    'tools/list': { tools, ...(era === 'modern' ? { ttlMs: 1000, cacheScope: 'public' } : {}) },
  };
  const all = new Set<Socket>();
  const server = createServer((socket) => {
    all.add(socket);
    let surplus = '';
    const answer = ({ id, method, params }: Message): void => {
      if (id === undefined) {
        socket.write('HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n');
      } else if (method === 'tools/call') {
        connections.add(socket);
        const who = params?.arguments?.who ?? '';
        socket.write(surplus + text(id, `private data of ${who}`));
        surplus =
          params?.name === 'split'
            ? forge(id)
                .map((forged) => text(forged, `forged by ${who}`))
                .join('')
            : '';
      } else {
        const found = answers[method];
        socket.write(
          found === undefined
            ? plain(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_601, message: 'no' } }))
            : result(id, found),
        );
      }
    };
    let read = Buffer.alloc(0);
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      read = Buffer.concat([read, chunk]);
      for (;;) {
        const head = read.indexOf('\r\n\r\n');
        const length = Number(/content-length: *(\d+)/iu.exec(read.toString('latin1', 0, head))?.[1] ?? 0);
        if (head === -1 || read.length < head + 4 + length) return;
        const isPost = read.toString('latin1', 0, 4) === 'POST';
        const body = read.toString('utf8', head + 4, head + 4 + length);
        read = read.subarray(head + 4 + length);
        if (isPost) answer(JSON.parse(body) as Message);
        else socket.write('HTTP/1.1 405 No\r\nContent-Length: 0\r\n\r\n');
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    connections,
    [Symbol.asyncDispose]: async () => {
      for (const socket of all) socket.destroy();
      server.close();
      await Promise.resolve();
    },
  };
};
