// What is measured: relayed calls, programs behind stdio, merged lists, growth, and clients that only sit there.
import { openClient } from './client.mjs';
import { compare } from './compare.mjs';
import { CALL, find, named } from './load.mjs';
import {
  cpuUs,
  httpServer,
  register,
  startHub,
  startHubs,
  startMcpHub,
  startMcpProxy,
  startNginx,
  startProbedHub,
  startProgram,
  startSupergateway,
  stop,
  stdioServer,
  untilIdle,
} from './processes.mjs';
import { verdict } from './report.mjs';

const verdictsOf = (title, rows, concurrency) => {
  const [direct, bare, hub] = ['direct', 'undici proxy', 'plugboard'].map((name) => find(rows, name));
  const peers = rows.filter(({ name }) => name === 'SDK relay' || name === 'mcp-hub');
  const best = Math.min(...peers.map(({ cpuUs }) => cpuUs));
  return [
    verdict(`CPU × bare proxy, ${title}`, hub.cpuUs / bare.cpuUs, 'at most', 1.25),
    ...(concurrency === 1
      ? [
          verdict(
            `added p50 × bare proxy, ${title}`,
            (hub.p50Ms - direct.p50Ms) / Math.max(0.01, bare.p50Ms - direct.p50Ms),
            'at most',
            2,
          ),
        ]
      : [
          verdict(`throughput × bare proxy, ${title}`, hub.perSecond / bare.perSecond, 'at least', 0.8),
          verdict(`p99 × bare proxy, ${title}`, hub.p99Ms / bare.p99Ms, 'at most', 1.3),
        ]),
    ...(peers.length === 0 ? [] : [verdict(`CPU × best TypeScript peer, ${title}`, hub.cpuUs / best, 'at most', 0.2)]),
  ];
};

/** Calls over HTTP to a server over HTTP that speaks the same era. */
export async function* relayedCalls(_hub, effort, absent) {
  for (const era of ['legacy', 'modern']) {
    for (const mode of ['json', 'sse']) {
      const name = `${era}-${mode}`;
      if (!effort.cells.includes(name)) continue;
      // As new as the others: what compilers made of another kind of call is of no use to this one.
      const [upstream, hubs] = [await startProgram('upstream', era, mode), await startHubs(name, effort.against)];
      for (const hub of hubs) await register(hub, name, httpServer(upstream.url));
      const nginx = await startNginx(upstream.url);
      const withPeers = era === 'legacy' && mode === 'json';
      const mcpHub = withPeers ? await startMcpHub(upstream.url) : undefined;
      if (withPeers && mcpHub === undefined) absent.add('mcp-hub');
      if (nginx === undefined) absent.add('nginx');
      const endpoints = [
        { name: 'direct', url: upstream.url },
        ...named('nginx', nginx),
        ...named('undici proxy', await startProgram('undici-proxy', upstream.url)),
        ...hubs.map(({ label, url, pid }) => ({ name: label, url: `${url}/servers/${name}/mcp`, pid })),
        ...(withPeers ? named('SDK relay', await startProgram('sdk-relay', upstream.url), { slow: true }) : []),
        ...named('mcp-hub', mcpHub, { slow: true }),
      ].map((endpoint) => ({ ...endpoint, era }));
      for (const concurrency of [16, 64, 1]) {
        const title = `tools/call, ${era}, ${mode}, ${concurrency} at once`;
        // Compilers take thousands of requests; after the first load every process is warm.
        const warmUp = concurrency === 16 ? effort.warmUp : Math.ceil(effort.warmUp / 5);
        const rows = await compare(endpoints, { ...CALL, concurrency }, { ...effort, warmUp });
        yield { title, rows, verdicts: verdictsOf(`${name} ${concurrency}`, rows, concurrency) };
      }
    }
  }
}

/**
 * Calls over HTTP to a program, in either era. The bare proxy stands before the same server over HTTP: it speaks HTTP on
 * both sides, the hub on one. The children of the others are processes of their own, as that of the hub is.
 */
export async function* stdioCalls(_hub, effort, absent) {
  for (const era of ['legacy', 'modern']) {
    const name = `stdio-${era}`;
    if (!effort.cells.some((cell) => cell.startsWith(era))) continue;
    const [upstream, hubs] = [await startProgram('upstream', era, 'json'), await startHubs(name, effort.against)];
    for (const hub of hubs) await register(hub, name, stdioServer(era));
    const [supergateway, mcpProxy] = era === 'legacy' ? [await startSupergateway(), await startMcpProxy()] : [];
    if (era === 'legacy' && supergateway === undefined) absent.add('supergateway');
    if (era === 'legacy' && mcpProxy === undefined) absent.add('mcp-proxy');
    const endpoints = [
      ...named('undici proxy', await startProgram('undici-proxy', upstream.url)),
      ...hubs.map(({ label, url, pid }) => ({ name: label, url: `${url}/servers/${name}/mcp`, pid })),
      ...named('supergateway', supergateway, { slow: true }),
      ...named('mcp-proxy', mcpProxy, { slow: true }),
    ].map((endpoint) => ({ ...endpoint, era }));
    for (const concurrency of [16, 64, 1]) {
      const warmUp = concurrency === 16 ? effort.warmUp : Math.ceil(effort.warmUp / 5);
      const rows = await compare(endpoints, { ...CALL, concurrency }, { ...effort, warmUp });
      const [bare, own] = rows;
      const peer = find(rows, 'mcp-proxy');
      const verdicts = [
        verdict(`CPU × bare proxy, ${name} ${concurrency}`, own.cpuUs / bare.cpuUs, 'at most', 1),
        verdict(`throughput × bare proxy, ${name} ${concurrency}`, own.perSecond / bare.perSecond, 'at least', 1),
        ...(peer === undefined
          ? []
          : [verdict(`CPU × mcp-proxy, ${name} ${concurrency}`, own.cpuUs / peer.cpuUs, 'at most', 1 / 6)]),
      ];
      yield { title: `tools/call to a program over stdio, ${era}, ${concurrency} at once`, rows, verdicts };
    }
  }
}

/**
 * Calls over HTTP to a server over HTTP of the other era, in either direction. The bare proxy stands before a server of the
 * client's era, which costs the same.
 */
export async function* bridgedCalls(_hub, effort) {
  for (const [era, other] of [
    ['modern', 'legacy'],
    ['legacy', 'modern'],
  ]) {
    const [own, upstream] = [
      await startProgram('upstream', era, 'json'),
      await startProgram('upstream', other, 'json'),
    ];
    const [name, hub] = [`${era}-to-${other}`, await startHub(`${era}-to-${other}`)];
    await register(hub, name, httpServer(upstream.url));
    const endpoints = [
      ...named('undici proxy', await startProgram('undici-proxy', own.url)),
      { name: 'plugboard', url: `${hub.url}/servers/${name}/mcp`, pid: hub.pid },
    ].map((endpoint) => ({ ...endpoint, era }));
    for (const concurrency of [16, 64, 1]) {
      const warmUp = concurrency === 16 ? effort.warmUp : Math.ceil(effort.warmUp / 5);
      const rows = await compare(endpoints, { ...CALL, concurrency }, { ...effort, warmUp });
      const [bare, hubRow] = rows;
      const verdicts = [verdict(`CPU × bare proxy, ${name} ${concurrency}`, hubRow.cpuUs / bare.cpuUs, 'at most', 1.6)];
      yield { title: `tools/call, ${era} client, ${other} server, ${concurrency} at once`, rows, verdicts };
    }
  }
}

const OTHER_METHODS = [
  { method: 'ping', params: {}, eras: ['legacy'] },
  { method: 'notifications/progress', params: {}, eras: ['legacy'] },
  { method: 'resources/read', params: { uri: 'file:///a' } },
  { method: 'prompts/get', params: { name: 'p', arguments: { a: '1' } } },
  {
    method: 'completion/complete',
    params: { ref: { type: 'ref/prompt', name: 'p' }, argument: { name: 'a', value: 'x' } },
  },
  { ...CALL, style: 'rest', title: 'POST /servers/{name}/tools/{tool}' },
];

/** What else clients ask for, in either era, and plain calls over REST. The hub answers pings and notifications itself. */
export async function* otherMethods(_hub, effort) {
  for (const era of ['legacy', 'modern']) {
    if (!effort.cells.some((cell) => cell.startsWith(era))) continue;
    const [upstream, hubs] = [
      await startProgram('upstream', era, 'json'),
      await startHubs(`methods-${era}`, effort.against),
    ];
    for (const hub of hubs) await register(hub, 'methods', httpServer(upstream.url));
    const bare = named('undici proxy', await startProgram('undici-proxy', upstream.url));
    for (const { method, params, style, title = method, eras = ['legacy', 'modern'] } of OTHER_METHODS) {
      if (!eras.includes(era)) continue;
      const path = style === 'rest' ? 'tools/echo' : 'mcp';
      const own = hubs.map(({ label, url, pid }) => ({
        name: label,
        url: `${url}/servers/methods/${path}`,
        pid,
        style,
      }));
      const endpoints = [...bare, ...own].map((endpoint) => ({ ...endpoint, era }));
      const warmUp = Math.ceil(effort.warmUp / 5);
      const rows = await compare(endpoints, { method, params, concurrency: 16 }, { ...effort, warmUp });
      const [proxy, hubRow] = rows;
      const verdicts = [verdict(`CPU × bare proxy, ${title}, ${era}`, hubRow.cpuUs / proxy.cpuUs, 'at most', 1.25)];
      yield { title: `${title}, ${era}, 16 at once`, rows, verdicts };
    }
  }
}

/** Answers of 64 KiB and 1 MiB, of a server over HTTP and of a program. */
export async function* largeAnswers(_hub, effort) {
  for (const kib of [64, 1024]) {
    const upstream = await startProgram('upstream', 'legacy', 'json', '1', '1', String(kib * 1024));
    const hubs = await startHubs(`large-${kib}`, effort.against);
    for (const hub of hubs) {
      await register(hub, 'http', httpServer(upstream.url));
      await register(hub, 'stdio', stdioServer('legacy', kib * 1024));
    }
    const endpoints = [
      ...named('undici proxy', await startProgram('undici-proxy', upstream.url)),
      ...hubs.flatMap(({ label, url, pid }) =>
        ['http', 'stdio'].map((over) => ({
          name: label === 'plugboard' ? over : `${over}, ${label}`,
          url: `${url}/servers/${over}/mcp`,
          pid,
        })),
      ),
    ].map((endpoint) => ({ ...endpoint, era: 'legacy' }));
    const [requests, warmUp] = [effort.requests, effort.warmUp / 4].map((count) => Math.ceil((count * 16) / kib));
    const rows = await compare(endpoints, { ...CALL, concurrency: 16 }, { ...effort, requests, warmUp });
    const [bare, ...own] = rows;
    const verdicts = own
      .slice(0, 2)
      .map(({ name, cpuUs }) =>
        verdict(`CPU × bare proxy, ${kib} KiB over ${name}`, cpuUs / bare.cpuUs, 'at most', 1.25),
      );
    yield { title: `tools/call, answers of ${kib} KiB over HTTP and stdio, 16 at once`, rows, verdicts };
  }
}

/** One list out of twenty servers, against one server that has everything and wrote it down once. */
export async function* mergedLists(hub, effort) {
  const many = await startProgram('upstream', 'legacy', 'json', '50');
  for (let index = 0; index < 20; index += 1) await register(hub, `many${index}`, httpServer(many.url));
  const all = await startProgram('upstream', 'legacy', 'json', '1000');
  const bare = await startProgram('undici-proxy', all.url);
  const endpoints = [
    { name: 'the same bytes, static', ...all },
    { name: 'undici proxy', ...bare },
    { name: 'plugboard', url: `${hub.url}/mcp`, pid: hub.pid },
  ].map((endpoint) => ({ ...endpoint, era: 'legacy' }));
  const load = { method: 'tools/list', params: {}, concurrency: 4 };
  const rows = await compare(endpoints, load, { ...effort, requests: 100, warmUp: Math.ceil(effort.warmUp / 10) });
  const [still, , own] = rows;
  const verdicts = [
    verdict('CPU of the merged list × the same bytes, static', own.cpuUs / still.cpuUs, 'at most', 1.5),
  ];
  yield { title: 'merged tools/list, 20 servers × 50 tools', rows, verdicts };
}

/** How many servers, and how many tools each of them has; the first of each kind is what the others are compared with. */
const SIZES = {
  servers: [
    [1, 1],
    [100, 1],
    [1000, 1],
  ],
  tools: [
    [1, 10],
    [10, 100],
    [20, 1000],
  ],
};

/** Calls of the first server's tool at its own endpoint and at that of all servers, where the catalogue is small and large. */
export async function* growth(_hub, effort) {
  for (const [kind, sizes] of Object.entries(SIZES)) {
    const endpoints = { 'its own endpoint': [], 'the endpoint of all': [] };
    for (const [servers, tools] of sizes) {
      const upstream = await startProgram('upstream', 'legacy', 'json', String(tools));
      const hub = await startHub(`growth-${kind}-${servers}`);
      for (let first = 0; first < servers; first += 20) {
        const some = Array.from({ length: Math.min(20, servers - first) }, (_, index) => `grown${first + index}`);
        await Promise.all(some.map((name) => register(hub, name, httpServer(upstream.url))));
      }
      // What is worked out about the tools after they were registered is no part of a call.
      await untilIdle(hub.pid);
      const shared = { name: `${servers} × ${tools}`, pid: hub.pid, era: 'legacy' };
      const params = { ...CALL.params, name: 'grown0__echo' };
      endpoints['its own endpoint'].push({ ...shared, url: `${hub.url}/servers/grown0/mcp` });
      endpoints['the endpoint of all'].push({ ...shared, url: `${hub.url}/mcp`, load: { params } });
    }
    for (const [place, own] of Object.entries(endpoints)) {
      const rows = await compare(own, { ...CALL, concurrency: 16 }, effort);
      const [smallest, ...others] = rows;
      const verdicts = others.map(({ name, cpuUs }) =>
        verdict(`CPU × ${smallest.name}, ${name}, ${place}`, cpuUs / smallest.cpuUs, 'at most', 1.1),
      );
      yield { title: `tools/call with more ${kind} (servers × tools), ${place}`, rows, verdicts, base: smallest.name };
    }
  }
}

const plainCall = async (url) => {
  const body = JSON.stringify(CALL.params.arguments);
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  await answer.text();
};

const median = (values) => values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;

/** From the start of the process to its first answered call, of a hub that knows its server and of mcp-hub, in turn. */
export const firstCalls = async ({ rounds, against }, absent) => {
  const upstream = await startProgram('upstream', 'legacy', 'json');
  const path = '/servers/first/tools/echo';
  const builds = [['plugboard', undefined], ...(against === undefined ? [] : [['before', against]])];
  const startOwn = async (label, main) => {
    const hub = await startHub(`first-${label}`, [], {}, main);
    return { ...hub, call: () => plainCall(hub.url + path) };
  };
  for (const [label, main] of builds) {
    const hub = await startOwn(label, main);
    await register(hub, 'first', httpServer(upstream.url));
    await hub.call();
    await stop(hub);
  }
  const starts = [
    ...builds.map(([label, main]) => ({ name: label, start: () => startOwn(label, main) })),
    { name: 'mcp-hub', start: () => startMcpHub(upstream.url) },
  ];
  const seen = new Map(starts.map(({ name }) => [name, { ms: [], cpuMs: [] }]));
  for (let round = 0; round < rounds; round += 1) {
    for (const { name, start } of starts) {
      const began = performance.now();
      const started = await start();
      if (started === undefined) {
        absent.add(name);
        continue;
      }
      // mcp-hub has answered one when it counts as started.
      await started.call?.();
      const { ms, cpuMs } = seen.get(name);
      ms.push(performance.now() - began);
      cpuMs.push(cpuUs(started.pid) / 1000);
      await stop(started);
    }
  }
  const rows = [...seen].map(([name, { ms, cpuMs }]) => ({ name, ms: median(ms), cpuMs: median(cpuMs) }));
  return { rows, verdicts: [verdict('ms from start to the first answered call', rows[0].ms, 'at most', 500)] };
};

const SESSIONS = 1000;

/** Clients that opened a session and then do nothing: what they leave in memory after a full collection. */
export const idleSessions = async () => {
  const hub = await startProbedHub();
  const upstream = await startProgram('upstream', 'legacy', 'json');
  await register(hub, 'idle', httpServer(upstream.url));
  const client = await openClient({ url: `${hub.url}/servers/idle/mcp`, era: 'legacy' });
  const each = async (come) => {
    const many = async (count) => {
      for (let index = 0; index < count; index += 20) await Promise.all(Array.from({ length: 20 }, come));
    };
    // What the first of them need once is not theirs.
    await many(200);
    const before = await hub.memory();
    await many(SESSIONS);
    return ((await hub.memory()) - before) / SESSIONS;
  };
  const bytesEach = await each(client.open);
  const bytesWithStream = await each(client.listen);
  await client.close();
  return {
    sessions: SESSIONS,
    bytesEach,
    bytesWithStream,
    verdicts: [
      verdict('KB per idle session', bytesEach / 1024, 'at most', 20),
      verdict('KB per idle session with an open stream', bytesWithStream / 1024, 'at most', 20),
    ],
  };
};

/** Calls that come at a fixed rate, whether or not others were answered: half of what the slowest can do. */
export async function* openLoop(_hub, effort) {
  for (const era of ['legacy', 'modern']) {
    if (!effort.cells.some((cell) => cell.startsWith(era))) continue;
    const [upstream, hubs] = [
      await startProgram('upstream', era, 'json'),
      await startHubs(`open-loop-${era}`, effort.against),
    ];
    for (const hub of hubs) await register(hub, 'loop', httpServer(upstream.url));
    const endpoints = [
      ...named('undici proxy', await startProgram('undici-proxy', upstream.url)),
      ...hubs.map(({ label, url, pid }) => ({ name: label, url: `${url}/servers/loop/mcp`, pid })),
    ].map((endpoint) => ({ ...endpoint, era }));
    const atMost = await compare(endpoints, { ...CALL, concurrency: 64 }, effort);
    const perSecond = Math.floor(Math.min(...atMost.map((row) => row.perSecond)) / 2);
    const rows = await compare(endpoints, { ...CALL, perSecond }, { ...effort, warmUp: 0 });
    const [bare, own] = rows;
    const verdicts = [verdict(`p99 × bare proxy, open loop, ${era}`, own.p99Ms / bare.p99Ms, 'at most', 1.3)];
    yield { title: `tools/call, ${era}, ${perSecond} per second (half of the maximum)`, rows, verdicts };
  }
}

const CROWD = 10_000;
const CROWD_IDLE_MS = 20_000;

/** Very many clients that opened a session, half of them with a stream, and do nothing: their memory, and the CPU of the hub. */
export const idleCrowd = async () => {
  const hub = await startProbedHub('crowd', { bounds: { sessionsPerCaller: CROWD + 1000, sessions: CROWD + 1000 } });
  const upstream = await startProgram('upstream', 'legacy', 'json');
  await register(hub, 'idle', httpServer(upstream.url));
  const client = await openClient({ url: `${hub.url}/servers/idle/mcp`, era: 'legacy' });
  const before = await hub.memory();
  for (let index = 0; index < CROWD / 2; index += 20) {
    await Promise.all(Array.from({ length: 20 }, (_, place) => (place % 2 === 0 ? client.open() : client.listen())));
    await Promise.all(Array.from({ length: 20 }, (_, place) => (place % 2 === 0 ? client.listen() : client.open())));
  }
  const bytesEach = ((await hub.memory()) - before) / CROWD;
  // What opening them left to do is not idling.
  await new Promise((next) => setTimeout(next, 5000));
  const spent = cpuUs(hub.pid);
  await new Promise((next) => setTimeout(next, CROWD_IDLE_MS));
  const cpuShare = (cpuUs(hub.pid) - spent) / 1000 / CROWD_IDLE_MS;
  await client.close();
  return {
    sessions: CROWD,
    bytesEach,
    cpuShare,
    verdicts: [
      verdict('KB per session of 10,000, half of them with streams', bytesEach / 1024, 'at most', 20),
      verdict('% of a core while they idle', cpuShare * 100, 'at most', 1),
    ],
  };
};
