import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { runFake } from '../../test-support/run-fake.js';
import { aServer, okReport, refusedReport } from '../../test-support/shapes.js';
import { VERSION } from '../../process/version.js';

let home = '';
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'plugboard-'));
});
afterEach(() => rm(home, { recursive: true }));

const server = (name: string, number: number, members: object = {}) =>
  aServer({ server_name: name, config: { mcp_server_type: 'stdio', command: 'x', args: [] } }, members, number);

interface Report {
  readonly ok: boolean;
  readonly findings: readonly {
    readonly id: string;
    readonly verdict: string;
    readonly message: string;
    readonly fix?: string;
  }[];
}

const examine = async (options = {}, env: Readonly<Record<string, string>> = {}, ...flags: readonly string[]) => {
  const run = await runFake(['doctor', '--json', ...flags], options, {
    env: { PLUGBOARD_HOME: home, PLUGBOARD_PORT: '0', ...env },
  });
  const report = run.json() as Report;
  return { code: run.code, report, finding: (id: string) => report.findings.find((entry) => entry.id === id) };
};

describe('doctor', () => {
  it('finds nothing wrong with a fresh home', async () => {
    const { code, report } = await examine();
    expect(report.findings.filter(({ verdict }) => verdict !== 'ok')).toEqual([]);
    expect(code).toBe(0);
  });

  it('has nothing against a server that only agents can use', async () => {
    const error = { code: 'UNRESOLVED_VARIABLES' as const, message: 'The variable BOT_KEY has no value.' };
    const missing = { missing_variables: ['BOT_KEY'] };
    const { code, finding } = await examine({
      servers: [
        server('bots', 1, { ...missing, last_sync: okReport(['a']), tool_count: 1 }),
        server('never', 2, { ...missing, last_sync: null }),
      ],
      sync: () => ({ ...refusedReport, error }),
    });
    expect(code).toBe(1);
    expect(finding('server:bots')).toMatchObject({
      verdict: 'ok',
      message: expect.stringContaining('agents that have BOT_KEY'),
    });
    expect(finding('server:never')).toMatchObject({ verdict: 'problem' });
  });

  it('connects to every server, in a dry run, and gives cause and fix of those that fail', async () => {
    const crash = {
      code: 'PROCESS_EXITED' as const,
      message: 'It ended.',
      hint: 'details.stderr_tail has it.',
      details: { stderr_tail: ['first', 'no key'] },
    };
    const { code, finding } = await examine({
      servers: [
        server('good', 1),
        server('dead', 2),
        server('crash', 3),
        server('odd', 4),
        server('new', 5),
        server('off', 6, { enabled: false }),
      ],
      sync: ({ server_name: name }: { server_name: string }, dryRun: boolean) => {
        expect(dryRun).toBe(true);
        if (name === 'dead') return refusedReport;
        if (name === 'crash') return { ...refusedReport, error: crash };
        if (name === 'odd') return { ...okReport([]), total: 3, skipped: [{ name: 'x', reasons: [] }] };
        return name === 'new' ? okReport(['a']) : { ...okReport([]), total: 2 };
      },
    });
    expect(code).toBe(1);
    expect(finding('server:good')).toMatchObject({ verdict: 'ok', message: 'answers, 2 tools' });
    expect(finding('server:dead')).toMatchObject({
      verdict: 'problem',
      message: 'Nothing listens there. (UPSTREAM_REFUSED)',
      fix: 'Start the server.',
    });
    expect(finding('server:crash')?.message).toContain('It said: no key');
    expect(finding('server:odd')).toMatchObject({
      verdict: 'warning',
      message: 'answers, 3 tools, of which 1 cannot be used by a model',
    });
    expect(finding('server:new')).toMatchObject({ verdict: 'warning', fix: 'plugboard sync new' });
    expect(finding('server:off')).toMatchObject({ verdict: 'ok', message: 'disabled' });
  });

  it('repeats what was last found with --offline', async () => {
    const { code, finding } = await examine(
      {
        servers: [server('dead', 1, { last_sync: refusedReport }), server('idle', 2, { tool_count: 1 })],
        sync: () => {
          throw new Error('not asked');
        },
      },
      {},
      '--offline',
    );
    expect(code).toBe(1);
    expect(finding('server:dead')?.verdict).toBe('problem');
    expect(finding('server:idle')?.message).toBe('1 tool, not connected to now');
  });

  it('warns of a home and a key that others can read', async () => {
    await chmod(home, 0o755);
    await writeFile(join(home, 'master.key'), 'x', { mode: 0o644 });
    const { code, finding } = await examine();
    expect(code).toBe(0);
    expect(finding('home')).toMatchObject({ verdict: 'warning', fix: `chmod 700 '${home}'` });
    expect(finding('master-key')).toMatchObject({ verdict: 'warning', fix: `chmod 600 '${join(home, 'master.key')}'` });
  });

  it('finds a store without its key, and a key that was named and is missing', async () => {
    await writeFile(join(home, 'plugboard.db'), '');
    expect((await examine()).finding('master-key')).toMatchObject({ verdict: 'problem' });
    expect((await examine({}, { PLUGBOARD_MASTER_KEY_FILE: '/nowhere/key' })).finding('master-key')?.message).toContain(
      '/nowhere/key',
    );
    expect((await examine({}, { PLUGBOARD_MASTER_KEY: 'x' })).finding('master-key')?.message).toBe(
      'from PLUGBOARD_MASTER_KEY',
    );
  });

  it('finds a home that is a file', async () => {
    await writeFile(join(home, 'file'), '');
    expect((await examine({}, { PLUGBOARD_HOME: join(home, 'file') })).finding('home')?.message).toContain(
      'is not a directory',
    );
  });

  it('stops at a configuration that cannot be read, and says what is wrong', async () => {
    await writeFile(join(home, 'plugboard.json'), '{"prot": 1}');
    const { code, finding } = await examine();
    expect(code).toBe(1);
    expect(finding('config')?.message).toContain('prot');
  });

  it('finds a port that is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    expect((await examine({}, { PLUGBOARD_PORT: String(port) })).finding('port')?.message).toContain(
      'is used by another program',
    );
  });

  it('compares the version of a hub that runs', async () => {
    const { finding } = await examine({ place: { kind: 'running', url: 'http://hub.example' } });
    expect(finding('version')).toMatchObject({ verdict: 'ok', message: VERSION });
  });

  it('writes for people, and only what is wrong with --quiet', async () => {
    const options = { servers: [server('dead', 1)], sync: () => refusedReport };
    const env = { PLUGBOARD_HOME: home, PLUGBOARD_PORT: '0' };
    const loud = await runFake(['doctor'], options, { env });
    expect(loud.stdout).toContain('✓ Node');
    expect(loud.stdout).toMatch(/✗ dead\s+Nothing listens there\. \(UPSTREAM_REFUSED\)\n\s+→ Start the server\./u);
    expect(loud.stderr).toContain('1 problem.');
    const quiet = await runFake(['doctor', '-q'], options, { env });
    expect(quiet.stdout.trim().split('\n')).toHaveLength(2);
    expect(quiet.stderr).toBe('');
  });
});
