import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAIN } from './cli-process.js';

const root = resolve(import.meta.dirname, '../..');
const examples = join(root, 'examples/end-to-end');
const run = promisify(execFile);

const programs = readdirSync(examples).filter((name) => name.endsWith('.mjs') && name !== 'hub.mjs');
const CELLS = programs.flatMap((program) => (['legacy', 'modern'] as const).map((era) => ({ program, era })));

let home: string;
let hub: ChildProcess;
let url: string;

const said = async (pattern: RegExp): Promise<string> => {
  let text = '';
  const signal = AbortSignal.timeout(90_000);
  for (;;) {
    const [chunk] = (await once(hub.stdout ?? hub, 'data', { signal })) as [Buffer];
    text += chunk.toString('utf8');
    const found = pattern.exec(text);
    if (found !== null) return found[1] ?? found[0];
  }
};

/** The processes whose parent is the hub. */
const childrenOf = (parent: number): readonly number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/u.test(name))
    .filter((pid) => {
      try {
        return Number(/\) \S (\d+)/u.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]) === parent;
      } catch {
        return false;
      }
    })
    .map(Number);

const call = async (tool: string, body: object): Promise<{ content: { text: string }[] }> => {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${url}/servers/${tool}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return (await answer.json()) as { content: { text: string }[] };
};

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'plugboard-first-start-'));
  hub = spawn(process.execPath, [MAIN, 'serve', '--demo', '--port', '0', '--home', home], {
    cwd: root,
    env: { PATH: process.env['PATH'] ?? '', HOME: home, PLUGBOARD_LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [running, ready] = [said(/running at (http:\S+)/u), said(/Try, in another terminal/u)];
  url = await running;
  await ready;
});

afterAll(async () => {
  if (hub?.exitCode === null) {
    hub.kill('SIGTERM');
    await once(hub, 'exit');
  }
  rmSync(home, { recursive: true, force: true });
});

describe('a first start on an empty home', () => {
  it('registers the bundled servers, and keeps none of them running', async () => {
    const servers = (await (await fetch(`${url}/servers`)).json()) as Record<string, { tool_count: number }>;
    for (const name of ['documents', 'collections', 'sandbox', 'everything', 'docling', 'postman']) {
      expect([name, servers[name]?.tool_count ?? 0]).toEqual([name, expect.any(Number)]);
      expect(servers[name]?.tool_count ?? 0).toBeGreaterThan(0);
    }
  });

  it.each(CELLS)('$program, $era', async ({ program, era }) => {
    const { stdout } = await run(process.execPath, [join(examples, program), '--hub', url, '--era', era], {
      timeout: 60_000,
      env: { ...process.env, PLUGBOARD_HOME: home },
    });
    expect(stdout).toContain('✓');
  });

  it.each(['report.pdf', 'report.docx', 'budget.xlsx'])('converts %s with its headings and tables', async (file) => {
    const folder = 'packages/servers/test/fixtures';
    const { content } = await call('documents/tools/convert_document', { input_path: `${folder}/${file}` });
    expect(content[0]?.text).toBe(readFileSync(join(root, folder, `${file}.expected.md`), 'utf8'));
  });

  it('serves scripts that know no session, only JSON-RPC with plain answers', async () => {
    const rpc = async (method: string, params: object): Promise<Record<string, never>> => {
      const answer = await fetch(`${url}/servers/docling/mcp`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: `id-of-${method}`, method, params }),
      });
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, expect.stringContaining('json')]);
      return (await answer.json()) as Record<string, never>;
    };
    const hello = { protocolVersion: '1.0', capabilities: {}, clientInfo: { name: 'script', version: '1' } };
    expect(await rpc('initialize', hello)).toMatchObject({ id: 'id-of-initialize', result: { serverInfo: {} } });
    const { result } = await rpc('tools/list', {});
    expect((result as unknown as { tools: { name: string }[] }).tools.map(({ name }) => name)).toContain(
      'convert_document',
    );
    const csv = { content: 'a,b\n1,2', format: 'csv', output_format: 'text' };
    expect(await rpc('tools/call', { name: 'convert_document', arguments: csv })).not.toHaveProperty('error');
    expect(await rpc('tools/call', { name: 'nothing', arguments: {} })).toHaveProperty('error');
    const missing = (await rpc('tools/call', { name: 'convert_document', arguments: {} })) as {
      error?: object;
      result?: { isError?: boolean };
    };
    expect(missing.error !== undefined || missing.result?.isError === true).toBe(true);
  });

  it('goes on when the process of a server is killed', async () => {
    const formats = (): Promise<{ content: { text: string }[] }> => call('documents/tools/get_supported_formats', {});
    await formats();
    const children = childrenOf(hub.pid ?? 0);
    expect(children.length).toBeGreaterThan(0);
    for (const pid of children) process.kill(pid, 'SIGKILL');
    // The tool says that it only reads, so that the call may be sent again when the pipe broke under it.
    expect((await formats()).content[0]?.text).toContain('pdf');
  });
});
