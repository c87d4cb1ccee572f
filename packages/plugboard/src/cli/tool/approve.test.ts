import { describe, expect, it } from 'vitest';
import { runFake } from '../../test-support/run-fake.js';
import { aServer, aTool } from '../../test-support/shapes.js';

const files = aServer({ server_name: 'files', config: { mcp_server_type: 'stdio', command: 'npx', args: ['x'] } });
const quiet = aTool(files, { name: 'quiet' }, 1);
const read = {
  ...aTool(files, { name: 'read' }, 2),
  enabled: false,
  contract_hash: 'now',
  quarantine: {
    since: '2026-11-01T00:00:00.000Z',
    kind: 'instruction' as const,
    accepted_hash: 'before',
    changes: [
      {
        kind: 'instruction' as const,
        code: 'text-changed',
        pointer: '/description',
        sentence: 'The description changed.',
      },
    ],
  },
};
const tools = `/v1/mcp-servers/${files.id}/tools`;
const hub = {
  servers: [files],
  answers: { [tools]: [quiet, read], [`${tools}/${read.id}/approve`]: read, [`${tools}/${read.id}/reject`]: read },
};
const postsOf = async (command: string, argv: readonly string[]) => {
  const run = await runFake([command, ...argv], hub);
  return { ...run, posted: run.hub.seen.filter(({ method }) => method === 'POST') };
};
const posts = (...argv: readonly string[]) => postsOf('approve', argv);

describe('approve', () => {
  it('shows what waits, and approves nothing', async () => {
    const { code, stdout, posted, stderr } = await posts('files');
    expect(code).toBe(0);
    expect(stdout).toContain('read changed (instruction)');
    expect(stdout).toContain('/description: The description changed.');
    expect(stderr).toContain('--all');
    expect(posted).toEqual([]);
    expect((await posts('files', '--quiet')).stdout.trim()).toBe('read');
  });

  it.each([[['files', 'read']], [['files', '--all']]])('approves the version that was read: %j', async (argv) => {
    const { posted, stdout } = await posts(...argv);
    expect(posted).toEqual([{ method: 'POST', path: `${tools}/${read.id}/approve`, body: { contract_hash: 'now' } }]);
    expect(stdout).toContain('Approved 1 tool');
  });

  it('says when nothing waits, and when there is no such tool', async () => {
    const nothing = await runFake(['approve', 'files'], { ...hub, answers: { [tools]: [quiet] } });
    expect(nothing.stdout).toContain('No tool of files waits');
    expect((await posts('files', 'raed')).code).toBe(2);
  });
});

describe('reject', () => {
  it('rejects the version that was read, and shows what it rejected', async () => {
    const { code, posted, stdout } = await postsOf('reject', ['files', 'read']);
    expect(code).toBe(0);
    expect(posted).toEqual([{ method: 'POST', path: `${tools}/${read.id}/reject`, body: { contract_hash: 'now' } }]);
    expect(stdout).toContain('/description: The description changed.');
    expect(stdout).toContain('Rejected the changes of 1 tool');
  });

  it('needs a tool, and one that exists', async () => {
    expect((await postsOf('reject', ['files'])).code).toBe(2);
    expect((await postsOf('reject', ['files', 'raed'])).code).toBe(2);
  });

  it('takes the tool off the list of those that wait', async () => {
    const rejected = { ...read, quarantine: { ...read.quarantine, rejected_at: '2026-11-02T00:00:00.000Z' } };
    const answers = { [tools]: [quiet, rejected] };
    expect((await runFake(['approve', 'files'], { ...hub, answers })).stdout).toContain('No tool of files waits');
  });
});
