// Nine first tasks, in the commands of the documentation, on an empty home: node examples/walkthrough/run.mjs
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const main = fileURLToPath(new URL('../../packages/plugboard/dist/main.js', import.meta.url));
const { resolve: find } = createRequire(import.meta.url);
const programOf = (name) => join(find(`@modelcontextprotocol/${name}/package.json`), '../dist/index.js');
const filesystem = programOf('server-filesystem');
const work = await mkdtemp(join(tmpdir(), 'plugboard-walkthrough-'));
const home = join(work, 'home');
const documents = join(work, 'documents');
await mkdir(documents);
await writeFile(join(documents, 'note.txt'), 'remember the milk\n');

/** Runs `plugboard …`; resolves with what it printed and its exit code. */
const plugboard = (args, env = {}) =>
  new Promise((resolve) => {
    const options = { cwd: work, env: { PATH: process.env.PATH, HOME: work, PLUGBOARD_HOME: home, ...env } };
    execFile(process.execPath, [main, ...args], options, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });

const show = (task, holds, seen) => {
  if (!holds) throw new Error(`${task}: ${typeof seen === 'string' ? seen : JSON.stringify(seen, null, 2)}`);
  console.log(`✓ ${task}`);
};

const hub = spawn(process.execPath, [main, 'serve', '--port', '0'], {
  cwd: work,
  env: { PATH: process.env.PATH, HOME: work, PLUGBOARD_HOME: home, PLUGBOARD_LOG_LEVEL: 'error' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const seenHeaders = [];
/** An API behind a key that speaks MCP: every request is answered with one tool, or with what it was sent. */
const api = createServer((request, response) => {
  seenHeaders.push(request.headers['x-api-key']);
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const { id, method } = JSON.parse(Buffer.concat(chunks).toString() || '{}');
    const results = {
      initialize: {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 'api', version: '1' },
      },
      'tools/list': { tools: [{ name: 'whoami', inputSchema: { type: 'object' } }] },
      'tools/call': { content: [{ type: 'text', text: String(request.headers['x-api-key']) }] },
    };
    if (id === undefined) return response.writeHead(202).end();
    const result = results[method];
    const answer = result === undefined ? { error: { code: -32601, message: 'unknown' } } : { result };
    response.writeHead(200, { 'content-type': 'application/json' });
    return response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
  });
});

try {
  const [line] = await once(hub.stdout, 'data', { signal: AbortSignal.timeout(60_000) });
  const url = /http:\S+/u.exec(String(line))?.[0] ?? '';
  show('the hub runs', url !== '', String(line));

  const added = await plugboard(['add', 'files', '--', process.execPath, filesystem, documents]);
  show('register a file system', added.code === 0 && added.stdout.includes('tools'), added);

  await writeFile(
    join(work, 'mcp.json'),
    JSON.stringify({
      mcpServers: {
        more: { command: process.execPath, args: [programOf('server-memory')] },
        wrong: { url: 'ftp://example.com/' },
      },
    }),
  );
  const imported = await plugboard(['import', 'mcp.json']);
  const listed = await plugboard(['list', '--json']);
  show('import with one broken entry', imported.code === 1 && listed.stdout.includes('"more"'), { imported, listed });

  const client = new Client({ name: 'walkthrough', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url)));
  const { tools } = await client.listTools();
  const read = await client.callTool({
    name: 'files__read_text_file',
    arguments: { path: join(documents, 'note.txt') },
  });
  await client.close();
  show('connect an SDK client', tools.length > 20 && read.content[0].text.includes('milk'), {
    tools: tools.length,
    read,
  });

  await new Promise((resolve) => api.listen(0, '127.0.0.1', resolve));
  const apiUrl = `http://127.0.0.1:${api.address().port}/mcp`;
  const bot = await plugboard(['agent', 'create', 'bot', '--var', 'BOT_KEY'], { BOT_KEY: 's3cret-of-bot' });
  const header = ['--header', 'X-API-Key: {{ BOT_KEY }}', '--agent', 'bot'];
  const guarded = await plugboard(['add', 'api', apiUrl, ...header]);
  const called = await plugboard(['call', 'api', 'whoami', '--agent', 'bot']);
  show('a secret in a header by agent variable', bot.code === 0 && seenHeaders.includes('s3cret-of-bot'), {
    bot,
    guarded,
    called,
  });
  show('the secret is not shown', !(await plugboard(['show', 'api'])).stdout.includes('s3cret'), guarded);

  await plugboard(['toolset', 'create', 'reading']);
  const offered = ['reading', 'files', 'list_directory', '--as', 'look_around', '--preset', `path=${documents}`];
  const curated = await plugboard(['toolset', 'add', ...offered]);
  const looked = await plugboard(['call', '--toolset', 'reading', 'look_around']);
  show('a toolset with rename and preset, called', looked.stdout.includes('note.txt'), { curated, looked });

  const strict = await plugboard(['tools', 'files', '--provider', 'openai-strict']);
  const shapes = JSON.parse(strict.stdout || '[]');
  show(
    "strict schemas in the provider's own shape",
    shapes.length > 5 && shapes.every((tool) => tool.function.strict),
    strict,
  );

  const reports = ['--report', 'report.xml', '--report', 'report.sarif'];
  const checked = await plugboard(['check', 'files', '--tier', 'smoke', '--fail-on', 'never', ...reports]);
  const [junit, sarif] = [
    await readFile(join(work, 'report.xml'), 'utf8'),
    await readFile(join(work, 'report.sarif'), 'utf8'),
  ];
  show('a check in CI', junit.includes('<testsuite') && JSON.parse(sarif).version === '2.1.0', checked);

  await writeFile(join(work, 'broken.mjs'), `throw new Error('no database configured');\n`);
  const broken = await plugboard(['add', 'broken', '--', process.execPath, join(work, 'broken.mjs')]);
  const shown = await plugboard(['show', 'broken']);
  const doctor = await plugboard(['doctor']);
  show(
    'why a server is not ready',
    [shown.stdout, doctor.stdout].every((text) => text.includes('no database configured')),
    { broken, shown, doctor },
  );

  // Last, because the first key closes the hub to clients without one.
  await plugboard(['agent', 'create', 'reader', '--allow', 'files/read_text_file', '--allow', 'files/list_directory']);
  const { key } = JSON.parse((await plugboard(['agent', 'key', 'reader', '--json'])).stdout);
  const agent = new Client({ name: 'reader', version: '1.0.0' });
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await agent.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit }));
  const names = (await agent.listTools()).tools.map(({ name }) => name).sort();
  await agent.close();
  show('an agent with two tools', names.join() === 'files__list_directory,files__read_text_file', names);
} finally {
  hub.kill('SIGTERM');
  await once(hub, 'exit');
  api.close();
  await rm(work, { recursive: true, force: true });
}
