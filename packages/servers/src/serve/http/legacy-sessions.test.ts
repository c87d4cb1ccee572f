import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { LegacySessions } from './legacy-sessions.js';

const BODY = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
};

const bench = (maxSessions: number) => {
  let now = 0;
  const sessions = new LegacySessions({
    makeServer: () => new McpServer({ name: 'x', version: '1' }),
    maxMessageBytes: 1000,
    maxSessions,
    idleMs: 100,
    now: () => now,
  });
  const open = async (at: number): Promise<string> => {
    now = at;
    const request = new Request('http://x/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    const response = await sessions.open(request, BODY);
    return response.headers.get('mcp-session-id') ?? '';
  };
  const use = async (id: string, at: number): Promise<number> => {
    now = at;
    const init = { method: 'POST', headers: { 'content-type': 'application/json', 'mcp-session-id': id }, body: '{}' };
    const ping = { jsonrpc: '2.0', id: 2, method: 'ping' };
    return (await sessions.use(id, new Request('http://x/mcp', init), ping)).status;
  };
  return { sessions, open, use };
};

describe('legacy sessions', () => {
  it('end when nobody used them for long', async () => {
    const { sessions, open, use } = bench(10);
    const [old, young] = [await open(0), await open(50)];
    expect(await use(young, 120)).toBe(200);
    await sessions.closeIdle();
    expect(sessions.size).toBe(1);
    expect(await use(old, 121)).toBe(404);
    await sessions.close();
    expect(sessions.size).toBe(0);
  });

  it('are bounded: the one that was used least recently makes room', async () => {
    const { sessions, open, use } = bench(2);
    const [first, second] = [await open(0), await open(1)];
    expect(await use(first, 2)).toBe(200);
    await open(3);
    expect(sessions.size).toBe(2);
    expect(await use(second, 4)).toBe(404);
    expect(await use(first, 5)).toBe(200);
    await sessions.close();
  });
});
