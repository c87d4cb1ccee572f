import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runFake } from '../../test-support/run-fake.js';
import { aServer } from '../../test-support/shapes.js';

let cwd = '';
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'plugboard-contract-'));
});
afterEach(() => rm(cwd, { recursive: true }));

const aTool = (name: string, description = 'Reads.') => ({
  health: { status: 'STRICT_COMPLIANT', reasons: [] },
  name,
  description,
  inputSchema: { type: 'object' },
});

const files = aServer({ server_name: 'files', config: { mcp_server_type: 'stdio', command: 'node', args: [] } });

const plugboard = (tools: readonly unknown[], ...argv: readonly string[]) =>
  runFake(argv, { servers: [files], answers: { '/v1/tools/mcp/servers/files/tools': tools } }, { cwd });

describe('the contract of a registered server', () => {
  it('is read by the hub, and compared without naming it', async () => {
    expect((await plugboard([aTool('read')], 'lock', 'files')).stdout).toContain('files is locked with 1 tool.');
    expect((await plugboard([aTool('read')], 'diff')).code).toBe(0);
    const { code, stdout } = await plugboard([aTool('read', 'Reads and sends.')], 'diff');
    expect([code, stdout]).toEqual([1, expect.stringContaining('it adds')]);
  });

  it('prints what locking again accepts', async () => {
    await plugboard([aTool('read')], 'lock', 'files');
    const { stdout } = await plugboard([aTool('write')], 'lock', 'files');
    expect(stdout).toContain('breaking  read: The tool "read" was renamed to "write".');
  });

  it('is refused when the server or its entry is unknown', async () => {
    await plugboard([aTool('read')], 'lock', 'files', '--name', 'other');
    expect((await plugboard([aTool('read')], 'diff')).stderr).toContain('There is no server called "other".');
    expect((await plugboard([aTool('read')], 'diff', 'files')).stderr).toContain(
      'The lock file has no server "files".',
    );
  });
});
