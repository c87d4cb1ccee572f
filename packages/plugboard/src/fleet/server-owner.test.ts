import { EventEmitter } from 'node:events';
import type { Server } from '@plugboard/contract';
import type { HttpExchange } from '@plugboard/gateway';
import { describe, expect, it } from 'vitest';
import { FleetMembers } from './fleet-members.js';
import { HeldLeases } from './held-leases.js';
import { isOwnedOnce, leaseOfServer, serverOfLease, ServerOwner } from './server-owner.js';

const server = { id: 'srv_1' } as unknown as Server;
const member = (id: string) => ({ id, url: `http://${id}`, version: '1' });

const owner = (holder: string, isDown = false) => {
  const passed: unknown[] = [];
  const response = new EventEmitter();
  const members = new FleetMembers({
    self: member('self'),
    onFailure: () => undefined,
    store: { beat: async () => [{ ...member('other'), ageMs: 0 }], leave: async () => undefined },
  });
  const leases = new HeldLeases({
    holder: 'self',
    ttlMs: 10_000,
    marginMs: 0,
    isAlone: () => false,
    onLost: () => undefined,
    now: () => 0,
    store: {
      acquire: async (name) => {
        if (isDown) throw new Error('down');
        return { lease: { name, holder, token: 7, leftMs: 10_000 } } as never;
      },
      renew: async () => undefined,
      release: async () => undefined,
    },
  });
  const servers = new ServerOwner({
    leases,
    members,
    peers: {
      pass: async ({ id }, _exchange, extra) => {
        passed.push([id, extra]);
        return 'passed';
      },
    },
  });
  return { servers, passed, response, exchange: { response } as unknown as HttpExchange };
};

describe('ServerOwner', () => {
  it('passes a request on to the holder, with the lease', async () => {
    const { servers, passed, response, exchange } = owner('other');
    expect(await servers.passOn(server, exchange)).toBe(true);
    expect(passed).toEqual([['other', { lease: 'server srv_1 7' }]]);
    expect(response.listenerCount('close')).toBe(0);
  });

  it('answers here when this process gets the lease, and does not ask again', async () => {
    const { servers, passed, exchange } = owner('self');
    expect(await servers.passOn(server, exchange)).toBe(false);
    expect(servers.passOn(server, exchange)).toBeUndefined();
    expect(passed).toEqual([]);
    expect([servers.holds('server srv_1 7'), servers.holds('server srv_1 6')]).toEqual([true, false]);
  });

  it('reports that the owner cannot be found when the store does not answer', async () => {
    const { servers, response, exchange } = owner('other', true);
    await expect(servers.passOn(server, exchange)).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
    expect(response.listenerCount('close')).toBe(0);
  });

  it('stops looking for the owner when the caller disconnects', async () => {
    const { servers, passed, response, exchange } = owner('unknown');
    const found = servers.passOn(server, exchange);
    response.emit('close');
    await expect(found).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
    expect(passed).toEqual([]);
  });
});

describe('leaseOfServer', () => {
  it('names a lease from which the server can be read', () => {
    expect(serverOfLease(leaseOfServer(server))).toBe('srv_1');
    expect(serverOfLease('leader')).toBeUndefined();
  });
});

describe('isOwnedOnce', () => {
  it.each([
    ['stdio', undefined, 'legacy', true],
    ['stdio', null, 'modern', false],
    ['stdio', 'shared', 'legacy', false],
    ['stdio', 'session', 'modern', true],
    ['http', undefined, 'legacy', false],
  ])('%s with sharing %s and era %s: %s', (type, sharing, era, isOnce) => {
    const given = { config: { mcp_server_type: type, sharing }, protocol: { era } };
    expect(isOwnedOnce(given as unknown as Server)).toBe(isOnce);
  });
});
