import { describe, expect, it } from 'vitest';
import { createGateway } from '../../gateway.js';
import { catalogueOf, sampleServer, sampleTool } from '../../test-support/catalogue.js';
import { RecordingClient } from '../../test-support/recording-client.js';
import { UpstreamPool } from '../../connection/upstream-pool.js';

const documents = sampleServer('documents', 1);
const postman = sampleServer('postman', 2);
const entries = [
  { server: documents, tools: [sampleTool(documents, 'convert')] },
  { server: postman, tools: [] },
];

const setUp = () => {
  const client = new RecordingClient(() => ({ content: [] }));
  const gateway = createGateway({
    identity: { name: 'plugboard', version: '1.2.3' },
    catalogue: {
      ...catalogueOf(entries),
      aliases: { docling: 'documents', postman: 'documents', nothing: 'nobody' },
    },
    upstream: new UpstreamPool({ makeClient: () => client, idleMs: 1000 }),
    ready: async () => ({ status: 'ready', store: 'ok', servers: {}, services: {} }),
    uptimeMs: () => 5,
    onInternalError: () => undefined,
  });
  const ask = async (method: string, path: string, body = '') => {
    const segments = path.split('/').filter(Boolean);
    const answer = await gateway.answer({ method, segments, body, signal: new AbortController().signal });
    return { status: answer.status, json: JSON.parse(answer.body) as Record<string, { alias_of?: string }> };
  };
  return { ask, client };
};

describe('other names of servers', () => {
  it('stand in the map of servers beside the names, unless a server or nobody has them', async () => {
    const { json } = await setUp().ask('GET', '/servers');
    expect(Object.keys(json)).toEqual(['documents', 'postman', 'docling']);
    expect(json['docling']).toMatchObject({ alias_of: 'documents', id: documents.id });
    expect(json['postman']).not.toHaveProperty('alias_of');
  });

  it('lead to the server, over REST and MCP', async () => {
    const { ask, client } = setUp();
    expect((await ask('GET', '/servers/docling')).json).toMatchObject({ name: 'documents' });
    expect((await ask('GET', '/servers/docling/tools')).json).toMatchObject([{ name: 'convert' }]);
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'convert' } });
    expect((await ask('POST', '/servers/docling/mcp', body)).json).toMatchObject({ result: { content: [] } });
    expect(client.asked.length).toBeGreaterThan(0);
  });

  it('hide no server, and do not make one up', async () => {
    const { ask } = setUp();
    expect((await ask('GET', '/servers/postman')).json).toMatchObject({ name: 'postman', id: postman.id });
    expect((await ask('GET', '/servers/nothing')).status).toBe(404);
    expect((await ask('GET', '/servers/constructor')).status).toBe(404);
  });
});
