import { describe, expect, it } from 'vitest';
import { grantOf } from './grant.js';
import type { Agent } from '../agent/agent.js';
import type { Toolset } from '../toolset/toolset.js';

const id = (digit: number): string => `${String(digit).repeat(8)}-0000-4000-8000-000000000000`;
const server = (digit: number) => `mcp_server-${id(digit)}` as const;
const tool = (digit: number, serverDigit: number, name = 'search') =>
  ({ id: `tool-${id(digit)}`, server_id: server(serverDigit), upstream_name: name }) as const;

const agent = (changes: Partial<Agent>): Agent => ({
  id: `agent-${id(1)}`,
  name: 'researcher',
  description: null,
  variables: {},
  server_ids: [],
  toolset_ids: [],
  allow_tool_ids: [],
  deny_tool_ids: [],
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  ...changes,
});

const toolset: Toolset = {
  id: `toolset-${id(1)}`,
  name: 'papers',
  description: null,
  entries: [{ server_id: server(2), upstream_name: 'find' }],
  read_only: false,
  provider: null,
  exposure: 'all',
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
};

const asAgent = (changes: Partial<Agent>, servers?: readonly `mcp_server-${string}`[]) =>
  grantOf({ id: 'key-1', role: 'agent', agent: agent({}).id, servers }, agent(changes), [toolset]);

describe('what a caller may use', () => {
  it('is everything for those without an agent or a list of servers', () => {
    expect(grantOf({ id: 'local', role: 'admin' }, undefined, [])).toBeUndefined();
  });

  it('is nothing for an agent that was given nothing, or that is gone', () => {
    for (const grant of [asAgent({}), grantOf({ id: 'k', role: 'agent', agent: agent({}).id }, undefined, [toolset])]) {
      expect(grant?.allowsServer(server(1))).toBe(false);
      expect(grant?.allowsTool(tool(1, 1))).toBe(false);
      expect(grant?.allowsToolset(toolset)).toBe(false);
    }
  });

  it('is the servers, toolsets and tools of an agent without those that were denied', () => {
    const grant = asAgent({
      server_ids: [server(1)],
      toolset_ids: [toolset.id],
      allow_tool_ids: [tool(5, 3).id],
      deny_tool_ids: [tool(6, 1).id],
    });
    expect(grant?.allowsServer(server(1))).toBe(true);
    expect(grant?.allowsServer(server(2))).toBe(false);
    expect(grant?.allowsTool(tool(1, 1))).toBe(true);
    expect(grant?.allowsTool(tool(6, 1))).toBe(false);
    expect(grant?.allowsTool(tool(7, 2, 'find'))).toBe(true);
    expect(grant?.allowsTool(tool(8, 2, 'delete'))).toBe(false);
    expect(grant?.allowsTool(tool(5, 3))).toBe(true);
    expect(grant?.allowsToolset(toolset)).toBe(true);
  });

  it('is what a toolset offers in that toolset alone, where it offers less than the server does', () => {
    const found = { server_id: server(2), upstream_name: 'find' };
    const agentOf = agent({ toolset_ids: [toolset.id] });
    const through = (changes: Partial<Toolset>) =>
      grantOf({ id: 'key-1', role: 'agent', agent: agentOf.id }, agentOf, [{ ...toolset, ...changes }]);
    for (const less of [
      { entries: [{ ...found, preset_arguments: { path: '/papers' } }] },
      { entries: [{ ...found, hidden_arguments: ['path'] }] },
      { read_only: true },
    ]) {
      expect(through(less)?.allowsInToolset(tool(7, 2, 'find'))).toBe(true);
      expect(through(less)?.allowsTool(tool(7, 2, 'find'))).toBe(false);
    }
    expect(through({})?.allowsTool(tool(7, 2, 'find'))).toBe(true);
    expect(through({})?.allowsInToolset(tool(8, 2, 'delete'))).toBe(false);
  });

  it('is what both the key and the agent allow', () => {
    const grant = asAgent({ server_ids: [server(1), server(2)] }, [server(2), server(3)]);
    expect([1, 2, 3].map((digit) => grant?.allowsServer(server(digit)))).toEqual([false, true, false]);
    expect([1, 2, 3].map((digit) => grant?.allowsTool(tool(digit, digit)))).toEqual([false, true, false]);
  });

  it('is the servers of a key without an agent', () => {
    const grant = grantOf({ id: 'k', role: 'operator', servers: [server(1)] }, undefined, [toolset]);
    expect([1, 2].map((digit) => grant?.allowsServer(server(digit)))).toEqual([true, false]);
    expect(grant?.allowsToolset(toolset)).toBe(true);
  });
});
