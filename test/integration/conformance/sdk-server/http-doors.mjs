import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node';
import {
  classifyInboundRequest,
  createMcpHandler,
  isInitializeRequest,
  localhostAllowedHostnames,
  validateHostHeader,
} from '@modelcontextprotocol/server';

/** What a stream has told, so that it can be resumed. */
const eventStore = () => {
  const events = [];
  return {
    storeEvent: async (streamId, message) => {
      events.push({ id: `${streamId}_${events.length}`, streamId, message });
      return events.at(-1).id;
    },
    replayEventsAfter: async (lastEventId, { send }) => {
      const at = events.findIndex(({ id }) => id === lastEventId);
      const streamId = events[at]?.streamId ?? '';
      for (const event of events.slice(at + 1)) {
        const isOfStream = event.streamId === streamId && Object.keys(event.message ?? {}).length > 0;
        if (isOfStream) await send(event.id, event.message);
      }
      return streamId;
    },
  };
};

const refuse = (response, status, code, message) => {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null }));
};

/** Sessions of the legacy era, each with a server of its own. */
const legacyDoor = (makeServer) => {
  const sessions = new Map();
  const open = async () => {
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      eventStore: eventStore(),
      retryInterval: 5000,
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    transport.onclose = () => void sessions.delete(transport.sessionId);
    const breakStream = ({ mcpReq }) => transport.closeSSEStream(mcpReq.id);
    await makeServer({ breakStream }).connect(transport);
    return transport;
  };
  return async (request, response, body) => {
    const id = request.headers['mcp-session-id'];
    const known = sessions.get(id);
    if (known !== undefined) return known.handleRequest(request, response, body);
    if (id !== undefined) return refuse(response, 404, -32_001, 'Session not found');
    if (!isInitializeRequest(body)) return refuse(response, 400, -32_000, 'Bad Request: Session ID required');
    return (await open()).handleRequest(request, response, body);
  };
};

const handlerDoor = (makeServer, legacy) => {
  const handler = createMcpHandler(
    () =>
      makeServer({
        announce: (area) => (area === 'tools' ? handler.notify.toolsChanged() : handler.notify.promptsChanged()),
      }),
    { legacy },
  );
  return toNodeHandler(handler);
};

const modernDoor = (makeServer) => handlerDoor(makeServer, 'reject');

const isLegacy = ({ method, headers }, body) =>
  classifyInboundRequest({
    httpMethod: method,
    protocolVersionHeader: headers['mcp-protocol-version'],
    mcpMethodHeader: headers['mcp-method'],
    body,
  }).kind === 'legacy';

/** HTTP+SSE of 2024-11-05, which the second version of the SDK has no transport for. */
const sseDoor = (makeServer) => {
  const sessions = new Map();
  return async (request, response, body) => {
    const { searchParams } = new URL(request.url, 'http://localhost');
    if (request.method === 'POST') {
      const known = sessions.get(searchParams.get('sessionId'));
      return known === undefined
        ? refuse(response, 404, -32_001, 'Session not found')
        : known.handlePostMessage(request, response, body);
    }
    const transport = new SSEServerTransport('/messages', response);
    sessions.set(transport.sessionId, transport);
    transport.onclose = () => void sessions.delete(transport.sessionId);
    await makeServer().connect(transport);
  };
};

const DOORS = {
  legacy: legacyDoor,
  modern: modernDoor,
  /** Both eras as the SDK serves them by itself: without sessions in the legacy one. */
  stateless: (makeServer) => handlerDoor(makeServer, 'stateless'),
  both: (makeServer) => {
    const [legacy, modern] = [legacyDoor(makeServer), modernDoor(makeServer)];
    return (request, response, body) => (isLegacy(request, body) ? legacy : modern)(request, response, body);
  },
};

const readBody = async (request) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const written = Buffer.concat(chunks).toString();
  return written === '' ? undefined : JSON.parse(written);
};

/** Listens on a free port and says where. */
export const serveHttp = (makeServer, { transport, eras }) => {
  const door = (transport === 'sse' ? sseDoor : DOORS[eras])(makeServer);
  const serve = async (request, response) => {
    try {
      const isOurs = validateHostHeader(request.headers.host, localhostAllowedHostnames()).ok;
      if (!isOurs) return refuse(response, 403, -32_000, 'Invalid Host');
      await door(request, response, await readBody(request));
    } catch {
      if (!response.headersSent) refuse(response, 400, -32_700, 'Parse error');
    }
  };
  const server = createServer((request, response) => void serve(request, response));
  server.listen(0, '127.0.0.1', () => {
    const path = transport === 'sse' ? '/sse' : '/mcp';
    process.stdout.write(`http://127.0.0.1:${server.address().port}${path}\n`);
  });
};
