// Many MCP servers, each a department of one company with tools of its own.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { postListener } from './post-server.mjs';

const SUBJECTS = ['invoice', 'customer', 'shipment', 'ticket', 'contract', 'repository', 'calendar', 'document'];
const VERBS = ['create', 'read', 'update', 'delete', 'search', 'archive', 'share', 'export', 'import', 'count'];
export const departmentTool = (server, index) => {
  const [verb, subject] = [VERBS[index % VERBS.length], SUBJECTS[(server + index) % SUBJECTS.length]];
  return {
    name: `${verb}_${subject}_${index}`,
    description: `Use it to ${verb} a ${subject} of department ${server}.`,
    inputSchema: {
      type: 'object',
      properties: {
        id: { type: 'string', description: `The number of the ${subject}` },
        limit: { type: 'integer', minimum: 1, maximum: 100 },
      },
      required: ['id'],
    },
  };
};

/** One HTTP server that is all of them: the path says which. */
export const startDepartments = async (toolsPerServer) => {
  const answer = ({ id, method, params }, response) => {
    const server = Number(response.req.url.slice(1));
    if (id === undefined) {
      response.writeHead(202).end();
      return;
    }
    const tools = () => Array.from({ length: toolsPerServer }, (_, index) => departmentTool(server, index));
    const results = {
      initialize: () => ({
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: `department-${server}`, version: '1' },
      }),
      'tools/list': () => ({ tools: tools() }),
      'tools/call': () => ({ content: [{ type: 'text', text: 'done' }] }),
    };
    const result = results[method]?.();
    const body = result === undefined ? { error: { code: -32_601, message: 'no such method' } } : { result };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...body }));
  };
  const http = createServer(postListener(answer)).listen(0, '127.0.0.1');
  await once(http, 'listening');
  return { http, urlOf: (server) => `http://127.0.0.1:${http.address().port}/${server}` };
};
