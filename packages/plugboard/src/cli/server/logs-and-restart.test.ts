import type { ServerLogEntry, ServerLogKind } from '@plugboard/contract';
import { describe, expect, it } from 'vitest';
import { runFake } from '../../test-support/run-fake.js';
import { aServer, okReport, refusedReport } from '../../test-support/shapes.js';

const server = aServer({ server_name: 'files', config: { mcp_server_type: 'stdio', command: 'x', args: [] } });
const LOGS = `/v1/mcp-servers/${server.id}/logs`;

const entry = (number: number, kind: ServerLogKind, text: string): ServerLogEntry => ({
  id: String(number),
  at: '2026-01-02T03:04:05.000Z',
  server_id: server.id,
  kind,
  pid: kind === 'output' ? 4711 : null,
  text,
});

describe('logs', () => {
  const entries = [entry(1, 'started', 'The program was started.'), entry(2, 'output', 'hello\u001b[2J')];
  const hub = { servers: [server], answers: { [LOGS]: entries } };

  it('shows what a server wrote; nothing of it acts on the terminal', async () => {
    const { code, stdout, hub: asked } = await runFake(['logs', 'files', '-n', '2'], hub);
    expect(code).toBe(0);
    expect(stdout).toContain('● The program was started.');
    expect(stdout).toContain('[4711]');
    expect(stdout).not.toContain('\u001b[2J');
    expect(asked.seen.at(-1)?.path).toContain('limit=2');
    expect((await runFake(['logs', 'files', '--json'], hub)).json()).toHaveLength(2);
  });

  it('says that there is nothing', async () => {
    const { stderr } = await runFake(['logs', 'files'], { ...hub, answers: { [LOGS]: [] } });
    expect(stderr).toContain('The log of files is empty.');
  });

  it.each([[[]], [['--json']]])('follows what comes until it is told to stop (%j)', async (flags) => {
    const stop = new AbortController();
    const later = [entry(3, 'exited', 'The program ended.')];
    const answer = (_method: string, url: URL): unknown => {
      const after = url.searchParams.get('after');
      if (after === null) return entries;
      if (after === '3') stop.abort();
      return after === '2' ? later : [];
    };
    const { stdout } = await runFake(
      ['logs', 'files', '--follow', ...flags],
      { servers: [server], answers: { [LOGS]: answer } },
      { signal: stop.signal },
    );
    expect(stdout.indexOf('The program ended.')).toBeGreaterThan(stdout.indexOf('The program was started.'));
  });

  it.each(['0', '1001', 'x'])('refuses %s lines', async (lines) => {
    expect((await runFake(['logs', 'files', '-n', lines], hub)).code).toBe(2);
  });
});

describe('restart', () => {
  const restarting = (sync: object) => ({
    servers: [server],
    answers: { [`/v1/mcp-servers/${server.id}/restart`]: { ...server, sync } },
  });

  it('says that a server runs again', async () => {
    const { code, stdout } = await runFake(['restart', 'files'], restarting(okReport(['a', 'b'])));
    expect(code).toBe(0);
    expect(stdout).toContain('files runs again: 2 tools.');
  });

  it('says why it does not', async () => {
    const { code, stdout, stderr } = await runFake(['restart', 'files'], restarting(refusedReport));
    expect(code).toBe(1);
    expect(stdout).toContain('files did not start.');
    expect(stderr).toContain('plugboard logs files');
  });
});
