import type { ApiKey } from '@plugboard/contract';
import { describe, expect, it } from 'vitest';
import { runFake } from '../../test-support/run-fake.js';
import { aServer } from '../../test-support/shapes.js';

const server = aServer({
  server_name: 'files',
  config: { mcp_server_type: 'stdio', command: 'npx', args: ['x'] },
});
const KEY = 'pb_0123456789ab_the-key-itself';
const stored: ApiKey = {
  id: 'key-00000000-0000-4000-8000-000000000001',
  name: 'laptop',
  role: 'agent',
  agent_id: null,
  server_ids: null,
  prefix: 'pb_0123456789ab',
  created_at: '2026-11-01T00:00:00.000Z',
  expires_at: null,
  last_used_at: null,
  revoked_at: null,
};

const run = (argv: readonly string[], answer: unknown, path = '/v1/keys') =>
  runFake(['key', ...argv], { servers: [server], answers: { [path]: answer } });

describe('plugboard key', () => {
  it('shows a new key once, alone on standard output', async () => {
    const { code, stdout, stderr, hub } = await run(['create', 'laptop', '--server', 'files'], { ...stored, key: KEY });
    expect([code, stdout.trim()]).toEqual([0, KEY]);
    expect(stderr).toContain('only time');
    expect(hub.seen.at(-1)).toMatchObject({
      method: 'POST',
      body: { name: 'laptop', role: 'agent', server_ids: [server.id] },
    });
  });

  it.each([stored.id, stored.prefix, stored.name])('takes back the key %s, as the list shows it', async (given) => {
    const other = {
      ...stored,
      id: 'key-00000000-0000-4000-8000-000000000002',
      prefix: 'pb_ba9876543210',
      name: 'laptop',
      revoked_at: stored.created_at,
    };
    const { code, hub } = await runFake(['key', 'revoke', given], {
      answers: { '/v1/keys': [other, stored], [`/v1/keys/${stored.id}`]: stored },
    });
    expect(code).toBe(0);
    expect(hub.seen.at(-1)).toMatchObject({ method: 'DELETE', path: `/v1/keys/${stored.id}` });
  });

  it('does not guess which of two keys of one name is meant', async () => {
    const other = { ...stored, id: 'key-00000000-0000-4000-8000-000000000002', prefix: 'pb_ba9876543210' };
    const { code, stderr } = await run(['revoke', 'laptop'], [other, stored]);
    expect(code).toBe(2);
    expect(stderr).toContain('pb_ba9876543210, pb_0123456789ab');
  });

  it('lists keys with their state', async () => {
    const keys = [
      stored,
      { ...stored, revoked_at: stored.created_at },
      { ...stored, expires_at: '2020-01-01T00:00:00.000Z' },
    ];
    const { stdout } = await run(['list'], keys);
    for (const word of ['valid', 'revoked', 'expired', stored.prefix]) expect(stdout).toContain(word);
    expect((await run(['list'], [])).stderr).toContain('key create');
  });

  it('revokes, and says what became of a rotation', async () => {
    expect((await run(['revoke', stored.id], stored, `/v1/keys/${stored.id}`)).stdout).toContain('laptop');
    const path = '/v1/keys/rotate-master';
    expect((await run(['rotate-master'], { resealed: 3, unreadable: 0 }, path)).stdout).toContain('3 secrets');
    expect((await run(['rotate-master'], { resealed: 3, unreadable: 1 }, path)).code).toBe(1);
  });
});
