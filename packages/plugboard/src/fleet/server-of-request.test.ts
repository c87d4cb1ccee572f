import type { CatalogueSnapshot, Server } from '@plugboard/contract';
import { describe, expect, it } from 'vitest';
import { isOwnedOnce, leaseOfServer, serverOfLease } from './server-owner.js';
import { ServerNames } from './server-of-request.js';

const server = (server_name: string, config: object, protocol: object | null = null): Server =>
  ({ id: `id-${server_name}`, server_name, config, protocol }) as unknown as Server;

const program = server('files', { mcp_server_type: 'stdio', command: 'x' });
const far = server('far', { mcp_server_type: 'streamable_http', server_url: 'http://x' });

describe('ServerNames', () => {
  const snapshot = {
    version: 1,
    entries: [
      { server: program, tools: [{ name: 'files__read' }] },
      { server: far, tools: [{ name: 'far__read' }] },
    ],
  } as unknown as CatalogueSnapshot;
  const names = new ServerNames({ snapshot: () => snapshot, aliases: { docs: 'files' } });
  const modern = { 'mcp-method': 'tools/call' };

  it.each<[string, string | undefined, object, string[], Server | undefined]>([
    ['a plain call', 'POST', {}, ['servers', 'files', 'tools', 'read'], program],
    ['a plain call by another name', 'POST', {}, ['servers', 'docs', 'tools', 'read'], program],
    ['a modern request', 'POST', modern, ['servers', 'far', 'mcp'], far],
    ['a modern call at the endpoint of all', 'POST', { ...modern, 'mcp-name': 'files__read' }, ['mcp'], program],
    ['a call of a server that is no program there', 'POST', { ...modern, 'mcp-name': 'far__read' }, ['mcp'], undefined],
    ['a legacy request', 'POST', {}, ['servers', 'files', 'mcp'], undefined],
    ['a list', 'GET', {}, ['servers', 'files', 'tools'], undefined],
    ['an unknown server', 'POST', {}, ['servers', 'none', 'tools', 'x'], undefined],
  ])('finds the server of %s', (_case, method, headers, segments, found) => {
    expect(names.serverOf({ method, headers: headers as Record<string, string> }, segments)).toBe(found);
  });
});

describe('isOwnedOnce', () => {
  it.each<[string, Server, boolean]>([
    ['a program', program, true],
    ['a program that keeps no state', server('x', { mcp_server_type: 'stdio', sharing: 'shared' }), false],
    ['a program with state for each agent', server('x', { mcp_server_type: 'stdio', sharing: 'per-agent' }), true],
    ['a program of the modern era', server('x', { mcp_server_type: 'stdio' }, { era: 'modern' }), false],
    ['a server on the network', far, false],
  ])('is right for %s', (_case, each, owned) => {
    expect(isOwnedOnce(each)).toBe(owned);
  });

  it('names its lease after the server', () => {
    expect(serverOfLease(leaseOfServer(program))).toBe(program.id);
    expect(serverOfLease('leader')).toBeUndefined();
  });
});
