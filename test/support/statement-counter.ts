import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';

export interface StatementCounter extends AsyncDisposable {
  /** The database, by way of the counter. */
  readonly url: string;
  /** How many were executed through it until now. */
  readonly statements: () => number;
}

const EXECUTE = 'E'.charCodeAt(0);
const QUERY = 'Q'.charCodeAt(0);
const HEAD_BYTES = 5;

/** Counts the statements of one connection. Its first message has no type: it says who connects. */
const statementReader = (): ((chunk: Buffer) => number) => {
  let rest = Buffer.alloc(0);
  let isFirst = true;
  return (chunk) => {
    let found = 0;
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= HEAD_BYTES) {
      const length = isFirst ? rest.readUInt32BE(0) : 1 + rest.readUInt32BE(1);
      if (rest.length < length) break;
      if (!isFirst && (rest[0] === EXECUTE || rest[0] === QUERY)) found += 1;
      isFirst = false;
      rest = rest.subarray(length);
    }
    return found;
  };
};

/** A way to a Postgres that counts what is executed on it, by the messages of clients. */
export const startStatementCounter = async (databaseUrl: string): Promise<StatementCounter> => {
  const url = new URL(databaseUrl);
  const target = { host: url.hostname, port: Number(url.port) };
  let statements = 0;
  const server = createServer((down) => {
    const up = connect(target);
    const read = statementReader();
    down.on('data', (chunk: Buffer) => (statements += read(chunk)));
    for (const [from, to] of [
      [down, up],
      [up, down],
    ] as const) {
      from.on('error', () => undefined);
      from.once('close', () => to.destroy());
      from.pipe(to);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    statements: () => statements,
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
  };
};
