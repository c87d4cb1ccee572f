// Runs the fault suite over the hub (with servers from npm) and over the official SDK's clients, and writes the table of
// docs/chaos.md. A row that a run cannot judge with its tool is judged with one that reports progress.
//   npm run build && node bench/chaos/table.mjs
// Options: --transport HTTP --transport SSE --transport stdio (default: all; the rows of the others stay as they are)
import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';

const { values } = parseArgs({ options: { transport: { type: 'string', multiple: true } } });
const transports = values.transport ?? ['HTTP', 'SSE', 'stdio'];
const root = fileURLToPath(new URL('../..', import.meta.url));
const main = join(root, 'packages/plugboard/dist/main.js');
const require = createRequire(import.meta.url);
const server = (name) => require.resolve(`@modelcontextprotocol/server-${name}/dist/index.js`);
const seed = '1';

const freePort = () =>
  new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });

const home = await mkdtemp(join(tmpdir(), 'plugboard-chaos-table-'));
const everything = [];
const serve = async (transport, path) => {
  const port = await freePort();
  const env = { ...process.env, PORT: String(port) };
  everything.push(spawn(process.execPath, [server('everything'), transport], { env, stdio: 'ignore' }));
  return `http://127.0.0.1:${port}${path}`;
};
const echo = 'echo={"message":"hi"}';
// Neither read-only nor idempotent by their annotations: a second run would be a defect.
const toggle = 'toggle-simulated-logging={}';
const create = 'create_entities={"entities":[{"name":"a","entityType":"b","observations":[]}]}';
const progress = 'trigger-long-running-operation={"duration":0.3,"steps":3}';
const http = [await serve('streamableHttp', '/mcp')];
const sse = ['--sse', await serve('sse', '/sse')];
const stdio = (...command) => ['--', process.execPath, ...command];

const run = async (flags, place) => {
  const argv = [main, '--home', home, 'chaos', '--json', '--seed', seed, ...flags];
  const { stdout } = await promisify(execFile)(process.execPath, [...argv, ...place], {
    cwd: root,
    maxBuffer: 1 << 26,
  }).catch((error) => error);
  const report = JSON.parse(stdout);
  if (report.results.length === 0) throw new Error(`${flags.join(' ')}: ${report.reason}`);
  return report.results;
};

const client = (version) => ['--client', `"${process.execPath}" bench/chaos/sdk-${version}-client.mjs`];
const hub = ['--subject', 'hub'];
const env = ['--env', `MEMORY_FILE_PATH=${join(home, 'memory.jsonl')}`];

const withEffects = { tool: toggle, programTool: create, program: stdio(server('memory')), more: env };
const columns = [
  {
    name: 'the hub, read-only tool',
    subject: hub,
    tool: echo,
    programTool: echo,
    program: stdio(server('everything'), 'stdio'),
    more: [],
  },
  { name: 'the hub, tool with side effects', subject: hub, ...withEffects },
  { name: 'SDK 1.x', subject: client(1), ...withEffects },
  { name: 'SDK 2.x', subject: client(2), ...withEffects },
];

const cell = (result) => {
  if (result === undefined) return '–';
  const { verdict, detail = '' } = result;
  if (verdict === 'pass') return 'recovers';
  if (verdict === 'fail') return `**fails**: ${detail.replaceAll('|', '/').replaceAll('\n', ' ')}`;
  return 'not applicable';
};

try {
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  const found = [];
  for (const { name, subject, tool, programTool, program, more } of columns) {
    console.error(name);
    const rows = new Map();
    const add = async (transport, flags, place) => {
      if (!transports.includes(transport)) return;
      for (const result of await run([...subject, ...flags], place)) rows.set(`${result.id} ${transport}`, result);
    };
    await add('HTTP', ['--tool', tool], http);
    await add('HTTP', ['--tool', progress, '--only', 'RSL-21'], http);
    await add('SSE', ['--tool', tool], sse);
    await add('stdio', ['--tool', programTool, ...more], program);
    found.push([name, rows]);
  }
  const file = join(root, 'docs/chaos.md');
  const text = await readFile(file, 'utf8');
  const old = [...text.matchAll(/^\| (RSL-\d+ (\w+)) – .*$/gmu)].filter(
    ([, , transport]) => !transports.includes(transport),
  );
  const versions = ['sdk', 'client'].map(
    (name) =>
      JSON.parse(
        require('node:fs').readFileSync(join(root, 'node_modules/@modelcontextprotocol', name, 'package.json')),
      ).version,
  );
  const titles = found.map(([name]) =>
    name
      .replace('SDK 1.x', `\`@modelcontextprotocol/sdk\` ${versions[0]}`)
      .replace('SDK 2.x', `\`@modelcontextprotocol/client\` ${versions[1]}`),
  );
  const lineOf = (key) => {
    const { title } = found[0][1].get(key);
    return `| ${key} – ${title} | ${found.map(([, rows]) => cell(rows.get(key))).join(' | ')} |`;
  };
  const lines = [
    `| row | ${titles.join(' | ')} |`,
    `|---|${titles.map(() => '---').join('|')}|`,
    ...[...old.map(([line]) => line), ...[...found[0][1].keys()].map(lineOf)].toSorted((one, two) =>
      one.localeCompare(two),
    ),
  ];
  const table = `<!-- table -->\n\n${lines.join('\n')}\n\n<!-- end of table -->`;
  await writeFile(file, text.replace(/<!-- table -->[\s\S]*<!-- end of table -->/u, table));
  console.log(lines.join('\n'));
} finally {
  for (const child of everything) child.kill();
  await rm(home, { recursive: true, force: true, maxRetries: 5 });
}
