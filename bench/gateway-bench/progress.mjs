// Notifications of progress: what they cost when they come together, and how late they are when they come one by one.
import { compare, compareDelays } from './compare.mjs';
import { CALL, find, named } from './load.mjs';
import { httpServer, register, startHubs, startProgram } from './processes.mjs';
import { verdict } from './report.mjs';

const TEN = 10;

/** Ten notifications before each result, in either era, beside the same call without any. */
export async function* progressStreams(_hub, effort) {
  for (const era of ['legacy', 'modern']) {
    if (!effort.cells.some((cell) => cell.startsWith(era))) continue;
    const [upstream, hubs] = [
      await startProgram('upstream', era, 'sse', '1', String(TEN)),
      await startHubs(`progress-${era}`, effort.against),
    ];
    for (const hub of hubs) await register(hub, 'progress', httpServer(upstream.url));
    const endpoints = [
      { name: 'direct', url: upstream.url },
      ...named('undici proxy', await startProgram('undici-proxy', upstream.url)),
      ...hubs.map(({ label, url, pid }) => ({ name: label, url: `${url}/servers/progress/mcp`, pid })),
    ].map((endpoint) => ({ ...endpoint, era }));
    const load = { ...CALL, concurrency: 16 };
    const fewer = { ...effort, requests: Math.ceil(effort.requests / 4) };
    const without = await compare(endpoints, load, fewer);
    yield { title: `tools/call answered by a stream, ${era}, 16 at once`, rows: without, verdicts: [] };
    const params = { ...CALL.params, _meta: { progressToken: 'p' } };
    const rows = await compare(endpoints, { ...load, params }, fewer);
    const each = (find(rows, 'plugboard').cpuUs - find(without, 'plugboard').cpuUs) / TEN;
    const verdicts = [verdict(`µs of CPU per notification, ${era}`, each, 'at most', 10)];
    yield { title: `tools/call with ten progress notifications, ${era}, 16 at once`, rows, verdicts };
  }
}

const PACED = 100;
const PACE_MS = 5;

/** One notification every five milliseconds: how much later they come through something in the middle. */
export async function* pacedProgress(_hub, effort) {
  for (const era of ['legacy', 'modern']) {
    if (!effort.cells.some((cell) => cell.startsWith(era))) continue;
    const [upstream, hubs] = [
      await startProgram('upstream', era, 'sse', '1', String(PACED), '200', String(PACE_MS)),
      await startHubs(`paced-${era}`, effort.against),
    ];
    for (const hub of hubs) await register(hub, 'paced', httpServer(upstream.url));
    const endpoints = [
      { name: 'direct', url: upstream.url },
      ...named('undici proxy', await startProgram('undici-proxy', upstream.url)),
      ...hubs.map(({ label, url, pid }) => ({ name: label, url: `${url}/servers/paced/mcp`, pid })),
    ].map((endpoint) => ({ ...endpoint, era }));
    const params = { ...CALL.params, _meta: { progressToken: 'p' } };
    for (const concurrency of [1, 16]) {
      const rows = await compareDelays(endpoints, { params, notifications: PACED, concurrency }, effort);
      const [direct, bare, own] = ['direct', 'undici proxy', 'plugboard'].map((name) => find(rows, name));
      const added = (own.p50Ms - direct.p50Ms) / Math.max(0.01, bare.p50Ms - direct.p50Ms);
      const what = `added delay of a notification × bare proxy, ${era}, ${concurrency} at once`;
      const title = `delay of progress, one notification every ${PACE_MS} ms, ${era}, ${concurrency} at once (per notification)`;
      yield { title, rows, verdicts: [verdict(what, added, 'at most', 2)] };
    }
  }
}
