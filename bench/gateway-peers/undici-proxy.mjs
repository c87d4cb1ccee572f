// The least that a reverse proxy on Node can do: headers and body through an undici pool, nothing looked at.
// Usage: node undici-proxy.mjs <upstream url>
import { createServer } from 'node:http';
import { Pool } from 'undici';

const target = new URL(process.argv[2]);
const pool = new Pool(target.origin, { connections: 128 });
const server = createServer((request, response) => {
  const { host: _host, connection: _connection, ...headers } = request.headers;
  pool.stream(
    { path: target.pathname, method: request.method, headers, body: request },
    ({ statusCode, headers: answered }) => {
      response.writeHead(statusCode, answered);
      return response;
    },
    (error) => {
      if (error !== null) response.destroy();
    },
  );
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send?.({ url: `http://127.0.0.1:${server.address().port}/mcp` }));
