import { PlugboardError, type Principal } from '@plugboard/contract';
import { describe, expect, it } from 'vitest';
import { AccessGate, type AccessGateParts } from './access-gate.js';
import { authorize } from '../authorize.js';
import { gatewayRoute } from '../gateway-route.js';
import { challenge } from '../resource-metadata.js';
import { sameSecret } from './same-secret.js';
import { Throttle } from './throttle.js';

const VIEWER: Principal = { id: 'key-1', role: 'viewer' };

const gateWith = (changes: Partial<AccessGateParts> & { readonly stored?: boolean } = {}) => {
  const clock = { now: 0 };
  const gate = new AccessGate({
    keys: {
      exist: async () => changes.stored ?? false,
      authenticate: async (token) => {
        if (token === 'pb_right') return VIEWER;
        throw new PlugboardError('UNAUTHENTICATED', 'no');
      },
    },
    throttle: new Throttle({ now: () => clock.now, maxFailures: 3, windowMs: 1000 }),
    required: false,
    adminKey: undefined,
    localKey: 'pb_local_x',
    verifyToken: undefined,
    ...changes,
  });
  const ask = async (authorization?: string, apiKey?: string, address = '10.0.0.1') =>
    gate.identify({ authorization, apiKey, address });
  const call = async (authorization?: string) =>
    gate.identifyCaller({ authorization, apiKey: undefined, address: '10.0.0.1' });
  return { gate, ask, call, clock };
};

describe('who calls', () => {
  it('does not matter for calls of tools as long as nobody made a key or asked for them, unless it is a lie', async () => {
    const { ask, call, gate } = gateWith();
    expect(await gate.demanded()).toBe(false);
    expect(await call()).toMatchObject({ id: 'local' });
    await expect(call('Bearer whatever')).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(await ask()).toBeUndefined();
    expect(await ask('Bearer pb_local_x')).toMatchObject({ id: 'local', role: 'admin' });
  });

  it.each([
    { required: true },
    { stored: true },
    { adminKey: 'a-key-of-the-operator' },
    { verifyToken: async () => VIEWER },
  ])('matters with %j', async (changes) => {
    const { ask, call, gate } = gateWith(changes);
    expect(await gate.demanded()).toBe(true);
    expect(await ask()).toBeUndefined();
    expect(await call()).toBeUndefined();
  });

  it('is told by a key in either field, by the key of the home, of the operator, or a token', async () => {
    const { ask } = gateWith({
      adminKey: 'a-key-of-the-operator',
      verifyToken: async (token) => ({ ...VIEWER, id: token }),
    });
    expect(await ask('Bearer pb_right')).toBe(VIEWER);
    expect(await ask('bearer  pb_right')).toBe(VIEWER);
    expect(await ask(undefined, 'pb_right')).toBe(VIEWER);
    expect(await ask('Bearer pb_local_x')).toMatchObject({ id: 'local', role: 'admin' });
    expect(await ask('Bearer a-key-of-the-operator')).toMatchObject({ id: 'admin-key', role: 'admin' });
    expect(await ask('Bearer a.b.c')).toMatchObject({ id: 'a.b.c' });
  });

  it('is refused when it is a lie or no bearer token', async () => {
    const { ask } = gateWith({ required: true });
    for (const given of ['Basic dTpw', 'Bearer', 'Bearer a b', 'Bearer pb_wrong', 'Bearer a.b.c']) {
      await expect(ask(given, undefined, given)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    }
  });

  it('may be tried out a few times, then not for a while; whoever is right always gets in', async () => {
    const { ask, clock } = gateWith({ required: true });
    const wrong = (n: number) => ask(`Bearer pb_${String(n).padStart(12, '0')}_x`);
    for (let attempt = 0; attempt < 3; attempt += 1) await expect(wrong(attempt)).rejects.toThrow('no');
    await expect(wrong(3)).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterMs: 1000 });
    expect(await ask('Bearer pb_right')).toBe(VIEWER);
    await expect(ask('Bearer pb_wrong', undefined, '10.0.0.2')).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    clock.now = 1000;
    await expect(wrong(4)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  it('cannot be guessed for one key from many addresses, nor from the many of one IPv6 network', async () => {
    const { ask } = gateWith({ required: true });
    const guess = (n: number) => ask(`Bearer pb_0123456789ab_${n}`, undefined, `10.1.0.${n}`);
    for (let n = 0; n < 3; n += 1) await expect(guess(n)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    await expect(guess(3)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    const neighbour = (n: number) => ask(`Bearer other${n}`, undefined, `2001:db8:1:2:${n}::1`);
    for (let n = 0; n < 3; n += 1) await expect(neighbour(n)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    await expect(neighbour(3)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  });
});

describe('who may', () => {
  it('is refused where the table has no row', () => {
    expect(() => authorize({ id: 'a', role: 'admin' }, 'something new')).toThrow(
      expect.objectContaining({ code: 'PERMISSION_DENIED' }),
    );
    expect(() => authorize(undefined, 'something new')).toThrow(expect.objectContaining({ code: 'UNAUTHENTICATED' }));
    expect(authorize(undefined, 'health')).toMatchObject({ servers: [] });
    expect(authorize(VIEWER, 'listServers')).toBe(VIEWER);
  });

  it('is asked for each path of the gateway', () => {
    const route = (path: string) => gatewayRoute(path.split('/').filter(Boolean));
    expect(route('/mcp')).toBe('gateway mcp');
    expect(route('/toolsets/a/sse')).toBe('gateway mcp');
    expect(route('/servers/mcp')).toBe('gateway server');
    expect(route('/servers/a/tools/b')).toBe('gateway call');
    expect(route('/servers/a/tools/mcp')).toBe('gateway call');
    expect(route('/servers/a/tools/b/c')).toBeUndefined();
    expect(route('/servers/a/other')).toBeUndefined();
    expect(route('/elsewhere')).toBeUndefined();
    expect(route('/a/b')).toBeUndefined();
  });
});

it('compares secrets of any length', () => {
  expect(sameSecret('abc', 'abc')).toBe(true);
  expect(sameSecret('abc', 'abd')).toBe(false);
  expect(sameSecret('', 'abc')).toBe(false);
});

it('says where tokens come from', () => {
  expect(challenge(undefined, false)).toBe('Bearer realm="plugboard"');
  expect(challenge('https://hub.example/.well-known/oauth-protected-resource', true)).toBe(
    'Bearer realm="plugboard", error="invalid_token", resource_metadata="https://hub.example/.well-known/oauth-protected-resource"',
  );
});
