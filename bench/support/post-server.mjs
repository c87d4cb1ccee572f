// The smallest MCP server over HTTP: every message is a POST of its own.
import { once } from 'node:events';
import { createServer } from 'node:http';

/** A listener that hands each message on; what is no POST is refused. */
export const postListener = (onMessage) => (request, response) => {
  if (request.method !== 'POST') {
    response.writeHead(405).end();
    return;
  }
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => onMessage(JSON.parse(Buffer.concat(chunks).toString()), response));
};

/** Serves answers, as JSON texts, on a free port of this machine. */
export const startPostServer = async (answerTo) => {
  const server = createServer(
    postListener((message, response) => {
      if (message.id === undefined) response.writeHead(202).end();
      else response.writeHead(200, { 'content-type': 'application/json' }).end(answerTo(message));
    }),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    config: { mcp_server_type: 'streamable_http', server_url: `http://127.0.0.1:${server.address().port}/mcp` },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};
