import { describe, expect, it } from 'vitest';
import { runFake } from '../../test-support/run-fake.js';
import { aServer, okReport, refusedReport } from '../../test-support/shapes.js';

const files = aServer(
  {
    server_name: 'files',
    config: { mcp_server_type: 'stdio', command: 'npx', args: ['x'], env: { KEY: 'a-very-long-secret' }, cwd: '/data' },
  },
  {
    status: { state: 'ready', at: new Date().toISOString() },
    protocol: { era: 'legacy', revision: '2025-11-25', transport: 'stdio', checked_at: '2026-01-02T03:04:05.000Z' },
    last_sync: {
      ...okReport([]),
      skipped: [{ name: 'odd', reasons: [{ rule: 'r', pointer: '', message: 'No type.' }] }],
    },
  },
);
const weather = aServer(
  {
    server_name: 'weather',
    config: {
      mcp_server_type: 'sse',
      server_url: 'https://w.example',
      auth_token: 'a-very-long-secret',
      custom_headers: { A: 'b' },
    },
  },
  { last_sync: refusedReport },
  2,
);
const options = {
  servers: [files, weather],
  tools: {
    files: [
      {
        name: 'read',
        description: 'Reads a file. Then more.\nAnd\u001B[31m more.',
        schema: {
          type: 'object',
          properties: {
            path: { type: 'string', description: 'where' },
            lines: { type: 'array', items: { type: 'integer' } },
            mode: { enum: ['text', 'bytes'] },
            any: {},
          },
          required: ['path'],
        },
        members: {
          annotations: { readOnlyHint: true },
          providers: {
            openai: { verdict: 'ok' as const },
            gemini: { verdict: 'rewritten' as const, lossless: false, changes: [] },
            azure: { verdict: 'rewritten' as const, lossless: true, changes: [] },
            bedrock: { verdict: 'rejected' as const, reasons: [] },
          },
        },
      },
      {
        name: 'odd',
        grade: {
          status: 'INVALID' as const,
          reasons: [{ rule: 'r', pointer: '/properties', message: 'No type.', fix: 'Add one.' }],
        },
        members: { enabled: false, annotations: { destructiveHint: true } },
      },
    ],
  },
};

describe('tools', () => {
  it('lists name, grade, effect and the first sentence', async () => {
    const { stdout } = await runFake(['tools', 'files'], options);
    expect(stdout.split('\n')).toEqual([
      'TOOL  GRADE         EFFECT    DESCRIPTION',
      'read  strict        reads     Reads a file.',
      'odd   invalid, off  destroys',
      '',
    ]);
  });

  it('lists the tools of all servers with their server', async () => {
    const { stdout } = await runFake(['tools'], options);
    expect(stdout).toContain('SERVER  TOOL');
  });

  it('gives names alone with --quiet', async () => {
    expect((await runFake(['tools', 'files', '-q'], options)).stdout).toBe('read\nodd\n');
    expect((await runFake(['tools', '-q'], options)).stdout).toBe('files__read\nfiles__odd\n');
  });

  it('shows one tool in full, with nothing of the server that acts on the terminal', async () => {
    const { stdout } = await runFake(['tools', 'files', 'read'], options, { columns: 100, env: { NO_COLOR: '1' } });
    expect(stdout).toContain('And\\u{001B}[31m more.');
    expect(stdout).toMatch(/path\s+string\s+needed\s+where/u);
    expect(stdout).toMatch(/lines\s+array of integer/u);
    expect(stdout).toMatch(/mode\s+"text" \| "bytes"/u);
    expect(stdout).toContain('models see it as  files__read');
    expect(stdout).toContain('gemini: rewritten, with loss');
    expect(stdout).toContain('azure: rewritten, nothing lost');
    expect(stdout).toContain('bedrock: rejected');
    expect(stdout).toContain('plugboard call files read --arg path=…');
  });

  it('shows the reasons of a grade and how to repair them', async () => {
    const { stdout } = await runFake(['tools', 'files', 'odd'], options);
    expect(stdout).toContain('No type. (at /properties) → Add one.');
    expect(stdout).toContain('It takes no parameters.');
    expect(stdout).toContain('not offered to agents');
  });

  it('says how to read tools that are not known', async () => {
    expect((await runFake(['tools', 'weather'], options)).stderr).toContain('plugboard sync weather');
    expect((await runFake(['tools'])).stderr).toContain('No tool is known yet.');
  });

  it('answers with the whole tool as JSON', async () => {
    expect((await runFake(['tools', 'files', 'read', '--json'], options)).json()).toMatchObject({
      upstream_name: 'read',
    });
    expect((await runFake(['tools', 'files', '--json'], options)).json()).toHaveLength(2);
  });
});

describe('show', () => {
  it('shows templates as templates, and masks only what is literal', async () => {
    const server = aServer({
      server_name: 'api',
      config: {
        mcp_server_type: 'streamable_http',
        server_url: 'https://api.example/mcp',
        auth_token: '${TOKEN}',
        custom_headers: { 'X-Region': '{{ REGION | eu }}', 'X-Key': 'a-very-long-secret' },
      },
    });
    const { stdout } = await runFake(['show', 'api'], { servers: [server] });
    expect(stdout).toContain('X-Region: {{ REGION | eu }}');
    expect(stdout).toContain('X-Key: ••••cret');
    expect(stdout).toContain('${TOKEN}');
    const exported = (await runFake(['export', 'api', '--json'], { servers: [server] })).json();
    expect(exported).toEqual({
      mcpServers: {
        api: {
          type: 'http',
          url: 'https://api.example/mcp',
          headers: { 'X-Region': '{{ REGION | eu }}', 'X-Key': '${API_X_KEY}', Authorization: 'Bearer ${TOKEN}' },
        },
      },
    });
  });

  it('shows config with masked secrets, state and what was skipped', async () => {
    const { stdout } = await runFake(['show', 'files'], options);
    expect(stdout).toContain('KEY=••••cret');
    expect(stdout).not.toContain('a-very-long');
    expect(stdout).toContain('2025-11-25 (legacy) over stdio');
    expect(stdout).toContain('2 (1 strict, 1 invalid)');
    expect(stdout).toContain('odd: No type.');
    expect(stdout).toContain('ready, just now');
  });

  it('shows why a server fails', async () => {
    const { stdout } = await runFake(['show', 'weather'], options);
    expect(stdout).toContain('Authorization: ••••cret');
    expect(stdout).toContain('Nothing listens there. (UPSTREAM_REFUSED)');
    expect(stdout).toContain('none known');
  });

  it('shows a failing status with its age', async () => {
    const error = { code: 'UPSTREAM_AUTH' as const, message: 'Refused.' };
    const failing = {
      ...weather,
      status: { state: 'failing' as const, at: new Date(Date.now() - 7_200_000).toISOString(), error },
    };
    const { stdout } = await runFake(['show', 'weather'], { servers: [failing] });
    expect(stdout).toContain('failing: auth, 2 hours ago');
  });

  it('refuses an unknown server with the names that are known', async () => {
    const { code, stderr } = await runFake(['show', 'nothing'], options);
    expect(code).toBe(2);
    expect(stderr).toContain('There is no server called "nothing". (SERVER_NOT_FOUND)');
    expect(stderr).toContain('Known: files, weather.');
  });
});

describe('plugboard tools --provider', () => {
  it("prints the provider's own JSON, and nothing else", async () => {
    const { stdout, code } = await runFake(['tools', 'files', 'read', '--provider', 'openai-strict'], options);
    const [tool, ...more] = JSON.parse(stdout) as { type: string; function: { name: string; strict: boolean } }[];
    expect([code, more]).toEqual([0, []]);
    expect(tool).toMatchObject({
      type: 'function',
      function: { name: 'read', strict: true, parameters: { type: 'object', additionalProperties: false } },
    });
  });

  it('suggests a provider that is known', async () => {
    const { code, stderr } = await runFake(['tools', 'files', '--provider', 'opnai'], options);
    expect([code, stderr]).toEqual([2, expect.stringContaining('Did you mean "openai"?')]);
  });
});
