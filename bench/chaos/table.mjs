// Runs the fault suite over the hub (with servers from npm) and over the official SDK's clients, and writes the tables of
// docs/chaos.md, one for each era. A row that a run cannot judge with its tool is judged with one that reports progress.
//   npm run build && node bench/chaos/table.mjs
// Options: --era legacy --era modern (default: both)
//          --transport HTTP --transport SSE --transport stdio (default: all; the rows of the others stay as they are)
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';

const multiple = { type: 'string', multiple: true };
const { values } = parseArgs({ options: { era: multiple, transport: multiple } });
const eras = values.era ?? ['legacy', 'modern'];
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
const started = [];
const serve = async (transport, path) => {
  const port = await freePort();
  const env = { ...process.env, PORT: String(port) };
  started.push(spawn(process.execPath, [server('everything'), transport], { env, stdio: 'ignore' }));
  return `http://127.0.0.1:${port}${path}`;
};
/** The official server of the modern era says where it listens. */
const serveModern = async () => {
  const child = spawn(process.execPath, [modernServer, 'http'], { stdio: ['ignore', 'pipe', 'inherit'] });
  started.push(child);
  const [line] = await once(child.stdout, 'data');
  return String(line).trim();
};
const modernServer = join(root, 'bench/chaos/sdk-2-server.mjs');
const echo = 'echo={"message":"hi"}';
// Neither read-only nor idempotent by their annotations: a second run would be a defect.
const toggle = 'toggle-simulated-logging={}';
const create = 'create_entities={"entities":[{"name":"a","entityType":"b","observations":[]}]}';
const mark = 'mark={"text":"hi"}';
const count = 'count={"text":"hi"}';
const progress = 'trigger-long-running-operation={"duration":0.3,"steps":3}';
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

const client = (version, ...args) => [
  '--client',
  [`"${process.execPath}"`, `bench/chaos/sdk-${version}-client.mjs`, ...args].join(' '),
];
const hub = ['--subject', 'hub'];
const env = ['--env', `MEMORY_FILE_PATH=${join(home, 'memory.jsonl')}`];

const packageVersion = async (name) =>
  JSON.parse(await readFile(join(root, 'node_modules/@modelcontextprotocol', name, 'package.json'), 'utf8')).version;
const sdk1 = `\`@modelcontextprotocol/sdk\` ${await packageVersion('sdk')}`;
const sdk2 = `\`@modelcontextprotocol/client\` ${await packageVersion('client')}`;

/** What runs in each era: the columns, and for each of them the runs with their transport. */
const TABLES = {
  legacy: async () => {
    const http = [await serve('streamableHttp', '/mcp')];
    const sse = ['--sse', await serve('sse', '/sse')];
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    const runs = (tool, programTool, program) => [
      ['HTTP', ['--tool', tool], http],
      ['HTTP', ['--tool', progress, '--only', 'RSL-21'], http],
      ['SSE', ['--tool', tool], sse],
      ['stdio', ['--tool', programTool, ...env], program],
    ];
    const withEffects = runs(toggle, create, stdio(server('memory')));
    return {
      mark: 'table',
      columns: [
        ['the hub, read-only tool', hub, runs(echo, echo, stdio(server('everything'), 'stdio'))],
        ['the hub, tool with side effects', hub, withEffects],
        [sdk1, client(1), withEffects],
        [sdk2, client(2), withEffects],
      ],
    };
  },
  modern: async () => {
    const http = [await serveModern()];
    const runs = [
      ['HTTP', ['--tool', mark], http],
      // These need an answer that is an event stream.
      ['HTTP', ['--tool', count, '--only', 'RSL-18,RSL-20,RSL-21,RSL-41'], http],
      ['stdio', ['--tool', mark], stdio(modernServer, 'stdio')],
    ];
    return {
      mark: 'modern table',
      columns: [
        ['the hub', hub, runs],
        [sdk2, client(2, 'modern'), runs],
      ],
    };
  },
};

const cell = (result) => {
  if (result === undefined) return '–';
  const { verdict, detail = '' } = result;
  if (verdict === 'pass') return 'recovers';
  if (verdict === 'fail') return `**fails**: ${detail.replaceAll('|', '/').replaceAll('\n', ' ')}`;
  return 'not applicable';
};

const writeTable = async ({ mark: name, columns }) => {
  const found = [];
  for (const [title, subject, runs] of columns) {
    console.error(title);
    const rows = new Map();
    for (const [transport, flags, place] of runs) {
      if (!transports.includes(transport)) continue;
      for (const result of await run([...subject, ...flags], place)) rows.set(`${result.id} ${transport}`, result);
    }
    found.push([title, rows]);
  }
  const file = join(root, 'docs/chaos.md');
  const text = await readFile(file, 'utf8');
  const place = new RegExp(`<!-- ${name} -->(?<old>[\\s\\S]*?)<!-- end of ${name} -->`, 'u');
  const old = [...(place.exec(text)?.groups.old ?? '').matchAll(/^\| (RSL-\d+ (\w+)) – .*$/gmu)].filter(
    ([, , transport]) => !transports.includes(transport),
  );
  const lineOf = (key) => {
    const { title } = found[0][1].get(key);
    return `| ${key} – ${title} | ${found.map(([, rows]) => cell(rows.get(key))).join(' | ')} |`;
  };
  const lines = [
    `| row | ${found.map(([title]) => title).join(' | ')} |`,
    `|---|${found.map(() => '---').join('|')}|`,
    ...[...old.map(([line]) => line), ...[...found[0][1].keys()].map(lineOf)].toSorted((one, two) =>
      one.localeCompare(two),
    ),
  ];
  await writeFile(file, text.replace(place, `<!-- ${name} -->\n\n${lines.join('\n')}\n\n<!-- end of ${name} -->`));
  console.log(lines.join('\n'));
};

try {
  for (const era of eras) await writeTable(await TABLES[era]());
} finally {
  for (const child of started) child.kill();
  await rm(home, { recursive: true, force: true, maxRetries: 5 });
}
