import { describe, expect, it } from 'vitest';
import { runFake } from '../../test-support/run-fake.js';
import { aServer, refusedReport } from '../../test-support/shapes.js';

const URL = 'https://web.example/mcp?key={{ KEY }}';
const stored = aServer(
  { server_name: 'web', config: { mcp_server_type: 'streamable_http', server_url: URL } },
  { variables: { OLD: '••••', KEPT: '••••1234' }, missing_variables: ['ZONE'] },
);

describe('--var', () => {
  it.each([
    [['--var', 'KEY=given=so'], {}, 'given=so'],
    [['--var', 'KEY'], { env: { KEY: 'from the environment' } }, 'from the environment'],
    [['--var', 'KEY=-'], { stdin: 'piped\n' }, 'piped'],
  ])('%j gives a new server its variables', async (flags, process, value) => {
    const { code, hub } = await runFake(['add', 'web', URL, ...flags], {}, process);
    expect(code).toBe(0);
    expect(hub.seen.find(({ method }) => method === 'POST')?.body).toMatchObject({
      config: { variables: { KEY: value } },
    });
  });

  it.each([[['--var', 'lower=x']], [['--var', 'NONE']], [['--var', 'A=-', '--var', 'B=-']]])(
    'refuses %j',
    async (flags) => {
      const { code, hub } = await runFake(['add', 'web', URL, ...flags], {}, { stdin: 'x' });
      expect(code).toBe(2);
      expect(hub.seen).toEqual([]);
    },
  );

  it('changes variables of a server and keeps the others', async () => {
    const argv = ['set', 'web', '--var', 'NEW=value', '--unset-var', 'OLD'];
    const { hub, stdout } = await runFake(argv, { servers: [stored] });
    expect(hub.seen.find(({ method }) => method === 'PATCH')?.body).toEqual({
      config: { mcp_server_type: 'streamable_http', variables: { KEPT: '••••1234', NEW: 'value' } },
    });
    expect(stdout).toContain('Without a value: ZONE');
  });

  it('is shown masked, with what is missing', async () => {
    const { stdout } = await runFake(['show', 'web'], { servers: [stored] });
    for (const word of ['KEPT=••••1234', 'ZONE']) expect(stdout).toContain(word);
  });
});

describe('--agent', () => {
  const agent = { id: 'agent-00000000-0000-4000-8000-000000000001' };

  it('syncs with the variables of an agent', async () => {
    const answers = { '/v1/agents/bot': agent };
    const synced = await runFake(['sync', 'web', '--agent', 'bot'], { servers: [stored], answers });
    expect(synced.hub.seen.at(-1)?.path).toContain(`agent_id=${agent.id}`);
    const added = await runFake(['add', 'other', URL, '--agent', 'bot'], { answers });
    expect(added.hub.seen.at(-1)?.path).toContain(`agent_id=${agent.id}`);
  });

  it('is hinted at when a new server needs variables', async () => {
    const sync = () => ({ ...refusedReport, error: { code: 'UNRESOLVED_VARIABLES' as const, message: 'No value.' } });
    const { code, stdout } = await runFake(['add', 'web2', URL], { sync });
    expect([code, stdout]).toEqual([0, expect.stringContaining('No value.')]);
  });
});
