import type { Server } from '@plugboard/contract';
import { HUBS_META } from '@plugboard/gateway';
import { describe, expect, it } from 'vitest';
import { assertNoLoop, HOP_HEADER, HOP_VARIABLE, hubId, withHop } from './hop.js';
import { KnownHubs } from './known-hubs.js';

const id = (number: number): Server['id'] => `mcp_server-00000000-0000-4000-8000-00000000000${number}`;

describe('the name of a hub in its requests', () => {
  it('is the same for one key, and tells nothing of it', () => {
    const key = new Uint8Array(32).fill(7);
    expect(hubId(key)).toBe(hubId(key));
    expect(hubId(key)).not.toBe(hubId(new Uint8Array(32)));
    expect(hubId(key)).toMatch(/^[\w-]{16}$/u);
  });

  it('stands in a header, or in the environment of a program', () => {
    expect(withHop({ mcp_server_type: 'stdio', command: 'x', args: [], env: { A: '1' } }, 'me')).toMatchObject({
      env: { A: '1', [HOP_VARIABLE]: 'me' },
    });
    expect(withHop({ mcp_server_type: 'streamable_http', server_url: 'http://a' }, 'me')).toMatchObject({
      custom_headers: { [HOP_HEADER]: 'me' },
    });
  });

  it('ends a request that comes back to its hub', () => {
    expect(() => assertNoLoop({}, 'me')).not.toThrow();
    expect(() => assertNoLoop({ [HOP_HEADER]: 'another' }, 'me')).not.toThrow();
    expect(() => assertNoLoop({ [HOP_HEADER]: 'another, me' }, 'me')).toThrow(
      expect.objectContaining({ code: 'LOOP_DETECTED' }),
    );
  });
});

describe('the hubs behind servers', () => {
  const told = (...hubs: readonly unknown[]) => ({ [HUBS_META]: hubs });

  it('are this one, and those that the servers name', () => {
    const hubs = new KnownHubs('me', () => false);
    hubs.heard(id(1), told('a', 'b', 7, 'x'.repeat(65)));
    hubs.heard(id(2), told('b', 'c'));
    expect(hubs.behind([{ id: id(1) }, { id: id(2) }])).toEqual(['me', 'a', 'b', 'c']);
    expect(hubs.behind([{ id: id(1) }])).toEqual(['me', 'a', 'b']);
    hubs.heard(id(1), undefined);
    hubs.forget(id(2));
    expect(hubs.behind([{ id: id(1) }, { id: id(2) }])).toEqual(['me']);
  });

  it('may not be this one', () => {
    const refused = new KnownHubs('me', () => false);
    expect(() => refused.heard(id(1), told('a', 'me'))).toThrow(expect.objectContaining({ code: 'LOOP_DETECTED' }));
    expect(refused.behind([{ id: id(1) }])).toEqual(['me']);
    // Its tools of before are still offered: what is behind them stays known.
    const known = new KnownHubs('me', () => true);
    expect(() => known.heard(id(1), told('a', 'me'))).toThrow('has this hub among its servers');
    expect(known.behind([{ id: id(1) }])).toEqual(['me', 'a']);
  });
});
