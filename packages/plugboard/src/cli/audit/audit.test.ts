import type { AuditEntry } from '@plugboard/contract';
import { describe, expect, it } from 'vitest';
import { runFake } from '../../test-support/run-fake.js';

const entry: AuditEntry = {
  id: 'audit-00000000-0000-4000-8000-000000000001',
  at: '2026-11-01T10:20:30.000Z',
  kind: 'admin',
  actor: 'key-1',
  action: 'createServer',
  target: '/v1/mcp-servers',
  outcome: 'ok',
  duration_ms: 3,
  details: { body: ['server_name'] },
};

const run = (argv: readonly string[], answer: readonly AuditEntry[] = [entry]) =>
  runFake(['audit', ...argv], { answers: { '/v1/audit': answer } });

describe('plugboard audit', () => {
  it('shows who did what, when and on what', async () => {
    const { stdout } = await run([]);
    for (const word of ['2026-11-01 10:20:30', 'key-1', 'createServer', '/v1/mcp-servers', 'ok']) {
      expect(stdout).toContain(word);
    }
    expect((await run(['--json'])).json()).toEqual([entry]);
    expect((await run([], [])).stderr).toContain('empty');
  });

  it('shows names where the hub knows them, and ids where it does not', async () => {
    const id = (number: number): string => `00000000-0000-4000-8000-00000000000${number}`;
    const { stdout } = await runFake(['audit'], {
      answers: {
        '/v1/audit': [
          { ...entry, actor: `key-${id(1)}`, target: `/v1/toolsets/toolset-${id(2)}` },
          { ...entry, actor: `key-${id(3)}` },
        ],
        '/v1/keys': [{ id: `key-${id(1)}`, name: 'deploy' }],
        '/v1/toolsets': [{ id: `toolset-${id(2)}`, name: 'mail' }],
      },
    });
    expect(stdout).toContain('deploy');
    expect(stdout).toContain('/v1/toolsets/mail');
    expect(stdout).toContain(`key-${id(3)}`);
  });

  it('asks for what is wanted', async () => {
    const { hub } = await run(['--kind', 'call', '--since', '2026-11-01T00:00:00Z', '--limit', '7']);
    expect(hub.seen[0]?.path).toBe('/v1/audit?limit=7&kind=call&since=2026-11-01T00%3A00%3A00Z');
    expect((await run(['--kind', 'other'])).code).toBe(2);
    expect((await run(['--limit', 'x'])).code).toBe(2);
  });

  it('exports every page as lines of JSON', async () => {
    const { stdout } = await run(['--export'], [entry, entry]);
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([entry, entry]);
  });
});
