import { describe, expect, it } from 'vitest';
import { runFake } from '../../test-support/run-fake.js';
import { aServer, okReport, refusedReport } from '../../test-support/shapes.js';

const server = (name: string, number: number) =>
  aServer(
    { server_name: name, config: { mcp_server_type: 'stdio', command: 'x', args: [] } },
    { tool_count: 2 },
    number,
  );
const servers = [server('one', 1), server('two', 2)];

describe('remove', () => {
  it('removes by name or id and says what went', async () => {
    const { code, stdout, hub } = await runFake(['rm', 'one', servers[1]?.id ?? ''], { servers });
    expect(code).toBe(0);
    expect(stdout).toBe('Removed one and its 2 tools.\nRemoved two and its 2 tools.\n');
    expect(hub.seen.filter(({ method }) => method === 'DELETE')).toHaveLength(2);
  });

  it('removes nothing when one of the names is wrong', async () => {
    const { code, stderr, hub } = await runFake(['remove', 'one', 'twoo'], { servers });
    expect(code).toBe(2);
    expect(stderr).toContain('Did you mean "two"?');
    expect(hub.seen.some(({ method }) => method === 'DELETE')).toBe(false);
  });

  it('reports as JSON', async () => {
    expect((await runFake(['remove', 'one', '--json'], { servers })).json()).toMatchObject({
      removed: [{ server_name: 'one' }],
    });
  });
});

describe('sync', () => {
  it('syncs every enabled server and tells the changes of each', async () => {
    const reports = { one: { ...okReport(['a']), updated: ['b'], deleted: ['c'], total: 5 }, two: okReport([]) };
    const { code, stdout } = await runFake(['sync'], {
      servers,
      sync: ({ server_name: name }) => reports[name as 'one' | 'two'],
    });
    expect(code).toBe(0);
    expect(stdout).toBe(
      'one: 5 tools, 3 changed\n  added    a\n  changed  b\n  gone     c\ntwo: 0 tools, nothing changed\n',
    );
  });

  it('asks for a dry run and says would', async () => {
    const { stdout, hub } = await runFake(['sync', 'one', '--dry-run'], {
      servers,
      sync: () => ({ ...okReport(['a']), dry_run: true }),
    });
    expect(stdout).toContain('1 would change');
    expect(hub.seen.at(-1)?.path).toContain('dry_run=true');
  });

  it('exits with 4 when a server cannot be reached, and still syncs the others', async () => {
    const { code, stdout } = await runFake(['sync'], {
      servers,
      sync: ({ server_name: name }) => (name === 'one' ? refusedReport : okReport(['x'])),
    });
    expect(code).toBe(4);
    expect(stdout).toContain('one: the tools could not be read');
    expect(stdout).toContain('two: 1 tool, 1 changed');
  });

  it('exits with 1 when a tool could not be stored', async () => {
    const failed = [{ name: 'bad', error: { code: 'INTERNAL' as const, message: 'It did not fit.' } }];
    const { code, stdout } = await runFake(['sync', 'one', '-q'], {
      servers,
      sync: () => ({ ...okReport([]), status: 'partial', failed }),
    });
    expect(code).toBe(1);
    expect(stdout).toContain('bad: It did not fit.');
  });

  it('shortens long lists', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `t${index}`);
    const skipped = names.map((name) => ({ name, reasons: [] }));
    const { stdout } = await runFake(['sync', 'one'], { servers, sync: () => ({ ...okReport(names), skipped }) });
    expect(stdout).toContain('and 22 more');
    expect(stdout).toContain('    and 20 more');
  });

  it('says so when there is nothing to sync', async () => {
    expect((await runFake(['sync'])).stderr).toContain('nothing to sync');
  });
});
