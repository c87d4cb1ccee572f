import { type Agent, agentUpdate, PlugboardError } from '@plugboard/contract';
import { describe, expect, it } from 'vitest';
import type { FakeProcessOptions } from '../../test-support/fake-process.js';
import { runFake } from '../../test-support/run-fake.js';
import { aServer } from '../../test-support/shapes.js';

const files = aServer({ server_name: 'files', config: { mcp_server_type: 'stdio', command: 'npx', args: ['x'] } });
const web = aServer(
  { server_name: 'web', config: { mcp_server_type: 'streamable_http', server_url: 'https://web.example/mcp' } },
  {},
  2,
);
const toolset = {
  id: 'toolset-00000000-0000-4000-8000-000000000001',
  name: 'reading',
  description: null,
  read_only: true,
  provider: null,
  exposure: 'all',
  entries: [],
  created_at: '2026-11-01T00:00:00.000Z',
  updated_at: '2026-11-01T00:00:00.000Z',
  mcp_path: '/toolsets/reading/mcp',
};
const stored: Agent = {
  id: 'agent-00000000-0000-4000-8000-000000000001',
  name: 'bot',
  description: 'reads files',
  variables: { API_KEY: '••••1234', OTHER: '••••' },
  server_ids: [files.id],
  toolset_ids: [],
  allow_tool_ids: [],
  deny_tool_ids: [],
  created_at: '2026-11-01T00:00:00.000Z',
  updated_at: '2026-11-01T00:00:00.000Z',
};
const one = `/v1/agents/${stored.id}`;
/** A change that depends on what was read is made to nothing else. */
const seen = { if_updated_at: stored.updated_at };

interface Run {
  readonly agents?: readonly Agent[];
  readonly answers?: Readonly<Record<string, unknown>>;
  readonly process?: FakeProcessOptions;
}

const run = (argv: readonly string[], { agents = [stored], answers, process }: Run = {}) =>
  runFake(
    ['agent', ...argv],
    {
      servers: [files, web],
      tools: { files: [{ name: 'read' }, { name: 'write' }] },
      answers: { '/v1/agents': agents, [one]: stored, '/v1/toolsets': [toolset], ...answers },
    },
    process,
  );

const lastBody = ({ hub }: Awaited<ReturnType<typeof run>>): unknown => hub.seen.findLast(({ body }) => body)?.body;

describe('plugboard agent', () => {
  it('lists agents with the names of their variables, and no value', async () => {
    const { stdout } = await run(['list']);
    for (const word of ['bot', 'API_KEY', stored.id]) expect(stdout).toContain(word);
    expect((await run(['list', '--quiet'])).stdout.trim()).toBe('bot');
    expect((await run(['list', '--json'])).json()).toEqual([stored]);
    expect((await run(['list'], { agents: [] })).stderr).toContain('agent create');
  });

  it('shows an agent with names instead of ids', async () => {
    const denied: Agent = { ...stored, deny_tool_ids: ['tool-00000000-0000-4000-8000-000000000002'] };
    const { stdout } = await run(['show', 'bot'], { agents: [denied] });
    for (const word of ['reads files', 'files', 'files/write', 'API_KEY=••••1234']) expect(stdout).toContain(word);
    expect((await run(['show', 'bot', '--json'])).json()).toEqual(stored);
    const missing = await run(['show', 'bat']);
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('Did you mean "bot"?')]);
  });

  it('makes an agent with what it is given, secrets from the environment', async () => {
    const made = await run(
      ['create', 'bot', '--server', 'web', '--toolset', 'reading', '--allow', 'files/read', '--var', 'API_KEY'],
      { answers: { '/v1/agents': stored }, process: { env: { API_KEY: 'from the environment' } } },
    );
    expect(made.code).toBe(0);
    expect(lastBody(made)).toEqual({
      name: 'bot',
      server_ids: [web.id],
      toolset_ids: [toolset.id],
      allow_tool_ids: ['tool-00000000-0000-4000-8000-000000000001'],
      deny_tool_ids: [],
      variables: { API_KEY: 'from the environment' },
    });
    expect(made.stdout + made.stderr).not.toContain('from the environment');
  });

  it('gives and takes by name, and changes nothing when a name is wrong', async () => {
    const changed = await run(
      `set bot --name robot --no-description --attach-server web --detach-server files
       --attach-toolset reading --allow files/read --deny files/write`.split(/\s+/u),
    );
    expect(changed.code).toBe(0);
    expect(agentUpdate.parse(lastBody(changed))).toEqual({
      ...seen,
      name: 'robot',
      description: null,
      server_ids: [web.id],
      toolset_ids: [toolset.id],
      allow_tool_ids: ['tool-00000000-0000-4000-8000-000000000001'],
      deny_tool_ids: ['tool-00000000-0000-4000-8000-000000000002'],
    });
    for (const wrong of [
      ['--allow', 'files/none'],
      ['--allow', 'nothing'],
      ['--attach-server', 'none'],
      ['--attach-toolset', 'none'],
      [],
    ]) {
      const { code, hub } = await run(['set', 'bot', ...wrong]);
      expect(code).toBe(2);
      expect(hub.seen.every(({ method }) => method === 'GET')).toBe(true);
    }
  });

  it('takes a denial back when the tool is allowed or forgotten', async () => {
    const agent: Agent = { ...stored, deny_tool_ids: ['tool-00000000-0000-4000-8000-000000000001'] };
    const allowed = await run(['set', 'bot', '--allow', 'files/read'], { agents: [agent] });
    expect(lastBody(allowed)).toEqual({ ...seen, allow_tool_ids: agent.deny_tool_ids, deny_tool_ids: [] });
    const forgotten = await run(['set', 'bot', '--forget', 'files/read'], { agents: [agent] });
    expect(lastBody(forgotten)).toEqual({ ...seen, allow_tool_ids: [], deny_tool_ids: [] });
  });

  it('reads the value of a variable from standard input or the environment, and sends masks back', async () => {
    const expected = { ...seen, variables: { API_KEY: 'the new value', OTHER: '••••' } };
    const piped = await run(['set-variable', 'bot', 'API_KEY'], { process: { stdin: 'the new value\n' } });
    expect(lastBody(piped)).toEqual(expected);
    const named = await run(['set-variable', 'bot', 'API_KEY', '--from-env', 'MINE'], {
      process: { env: { MINE: 'the new value' } },
    });
    expect(lastBody(named)).toEqual(expected);
    for (const { stdout, stderr } of [piped, named]) expect(stdout + stderr).not.toContain('the new value');
  });

  it.each([
    [['set-variable', 'bot', 'lower'], {}],
    [['set-variable', 'bot', 'API_KEY'], { stdin: '' }],
    [['set-variable', 'bot', 'API_KEY', '--from-env', 'NONE'], {}],
    [['unset-variable', 'bot', 'NONE'], {}],
  ])('refuses %j', async (argv, process) => {
    expect((await run(argv, { process })).code).toBe(2);
  });

  it('removes variables', async () => {
    expect(lastBody(await run(['unset-variable', 'bot', 'API_KEY']))).toEqual({
      ...seen,
      variables: { OTHER: '••••' },
    });
  });

  it('computes a change again when somebody else changed the agent meanwhile', async () => {
    const later = '2026-11-01T00:00:00.007Z';
    const now: Agent = { ...stored, variables: { ...stored.variables, NEW: '••••' }, updated_at: later };
    // The first list names the agent; the second is the state of which the first attempt is computed.
    let lists = 0;
    const raced = await run(['set-variable', 'bot', 'API_KEY'], {
      process: { stdin: 'the new value\n' },
      answers: {
        '/v1/agents': () => [(lists += 1) > 2 ? now : stored],
        [one]: (_method: string, _url: URL, body: { readonly if_updated_at?: string }) => {
          if (body.if_updated_at === later) return now;
          throw new PlugboardError('CONFLICT', 'Changed.', { details: { updated_at: later } });
        },
      },
    });
    expect(raced.code).toBe(0);
    const changes = raced.hub.seen.filter(({ method }) => method === 'PATCH').map(({ body }) => body);
    expect(changes).toEqual([
      { ...seen, variables: { API_KEY: 'the new value', OTHER: '••••' } },
      { if_updated_at: later, variables: { API_KEY: 'the new value', OTHER: '••••', NEW: '••••' } },
    ]);
  });

  it('gives up on a change that is refused for another reason', async () => {
    const { code, hub } = await run(['set', 'bot', '--name', 'taken'], {
      answers: {
        [one]: () => {
          throw new PlugboardError('CONFLICT', 'An agent named "taken" already exists.');
        },
      },
    });
    expect(code).not.toBe(0);
    expect(hub.seen.filter(({ method }) => method === 'PATCH')).toHaveLength(1);
  });

  it('makes a key of the agent, alone on standard output', async () => {
    const key = {
      id: 'key-00000000-0000-4000-8000-000000000001',
      name: 'bot',
      role: 'agent',
      agent_id: stored.id,
      server_ids: null,
      prefix: 'pb_x',
      created_at: stored.created_at,
      expires_at: null,
      last_used_at: null,
      revoked_at: null,
      key: 'pb_x_the-key-itself',
    };
    const made = await run(['key', 'bot', '--days', '2'], { answers: { '/v1/keys': key } });
    expect(made.stdout.trim()).toBe(key.key);
    expect(lastBody(made)).toMatchObject({ name: 'bot', role: 'agent', agent_id: stored.id });
    expect((await run(['key', 'bot', '--days', 'x'])).code).toBe(2);
  });

  it('removes agents, all or none', async () => {
    const { stdout, hub } = await run(['remove', 'bot']);
    expect(stdout).toContain('bot');
    expect(hub.seen.at(-1)).toMatchObject({ method: 'DELETE', path: one });
    const wrong = await run(['remove', 'bot', 'none']);
    expect(wrong.hub.seen.some(({ method }) => method === 'DELETE')).toBe(false);
  });
});
