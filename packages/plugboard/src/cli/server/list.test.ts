import { describe, expect, it } from 'vitest';
import { runFake } from '../../test-support/run-fake.js';
import { aServer, refusedReport } from '../../test-support/shapes.js';

const files = aServer(
  { server_name: 'files', config: { mcp_server_type: 'stdio', command: 'npx', args: ['-y', 'a server', '.'] } },
  { status: { state: 'ready', at: '2026-01-02T03:04:05.000Z' }, tool_count: 14 },
);
const weather = aServer(
  { server_name: 'weather', config: { mcp_server_type: 'sse', server_url: 'https://weather.example/sse' } },
  { last_sync: refusedReport },
  2,
);

describe('list', () => {
  it('shows name, type, status, tools and place of each server', async () => {
    const { code, stdout } = await runFake(['list'], { servers: [files, weather] });
    expect(code).toBe(0);
    expect(stdout.split('\n')).toEqual([
      'NAME     TYPE   STATUS            TOOLS  COMMAND OR URL',
      "files    stdio  ready                14  npx -y 'a server' .",
      'weather  sse    failing: refused      0  https://weather.example/sse',
      '',
    ]);
  });

  it('fits the terminal', async () => {
    const { stdout } = await runFake(['list'], { servers: [files, weather] }, { columns: 50, env: { NO_COLOR: '1' } });
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(50);
  });

  it('tells servers apart by the end of their paths in 80 columns', async () => {
    const program = (name: string, number: number) =>
      aServer(
        {
          server_name: `long-name-of-a-server-${name}`,
          config: {
            mcp_server_type: 'stdio',
            command: '/usr/local/bin/node',
            args: [`/srv/a/deep/path/to/${name}.mjs`],
          },
        },
        {},
        number,
      );
    const { stdout } = await runFake(
      ['list'],
      { servers: [program('documents', 1), program('sandbox', 2)] },
      { columns: 80, env: { NO_COLOR: '1' } },
    );
    expect(stdout).toContain('long-name-of-a-server-documents');
    expect(stdout).toContain('node …/documents.mjs');
    expect(stdout).toContain('node …/sandbox.mjs');
  });

  it('gives names alone with --quiet, and JSON alone with --json', async () => {
    expect((await runFake(['list', '-q'], { servers: [files, weather] })).stdout).toBe('files\nweather\n');
    const { json, stderr } = await runFake(['--json', 'list'], { servers: [files] });
    expect(json()).toMatchObject([{ server_name: 'files', tool_count: 14 }]);
    expect(stderr).toBe('');
  });

  it('says how to begin when there is nothing, on stderr', async () => {
    const { code, stdout, stderr } = await runFake(['ls']);
    expect(code).toBe(0);
    expect(stdout).toBe('');
    expect(stderr).toContain('plugboard add files -- npx');
  });

  it('says disabled, and never tried, when that is what is known', async () => {
    const { stdout } = await runFake(['list'], {
      servers: [
        { ...files, enabled: false },
        { ...weather, last_sync: null },
      ],
    });
    expect(stdout).toContain('disabled');
    expect(stdout).toContain('never tried');
  });

  it('closes the hub when it is done', async () => {
    const { hub } = await runFake(['list']);
    expect(hub.closed()).toBe(true);
  });
});
