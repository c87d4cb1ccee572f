// What a call costs that the fast path leaves to the full one.
import { compare } from './compare.mjs';
import { CALL, find, named } from './load.mjs';
import { httpServer, register, startHubs, startProgram, stdioServer } from './processes.mjs';
import { verdict } from './report.mjs';

/** Calls in a form that no fast path takes, to servers over HTTP and over stdio: the cost of the full path. */
export async function* fullPath(_hub, effort) {
  for (const era of ['legacy', 'modern']) {
    if (!effort.cells.some((cell) => cell.startsWith(era))) continue;
    const [upstream, hubs] = [
      await startProgram('upstream', era, 'json'),
      await startHubs(`full-${era}`, effort.against),
    ];
    for (const hub of hubs) {
      await register(hub, 'http', httpServer(upstream.url));
      await register(hub, 'stdio', stdioServer(era));
    }
    const proxy = await startProgram('undici-proxy', upstream.url);
    for (const over of ['http', 'stdio']) {
      const endpoints = [
        ...named('undici proxy', proxy),
        ...hubs.map(({ label, url, pid }) => ({
          name: label,
          url: `${url}/servers/${over}/mcp`,
          pid,
          style: 'escaped',
        })),
      ].map((endpoint) => ({ ...endpoint, era }));
      for (const concurrency of [16, 1]) {
        const warmUp = concurrency === 16 ? effort.warmUp : Math.ceil(effort.warmUp / 5);
        const rows = await compare(endpoints, { ...CALL, concurrency }, { ...effort, warmUp });
        const [own, before] = ['plugboard', 'before'].map((name) => find(rows, name));
        const title = `tools/call on the full path over ${over}, ${era}, ${concurrency} at once`;
        const what = `CPU of the full path × before, ${over}, ${era}, ${concurrency} at once`;
        yield {
          title,
          rows,
          verdicts: before === undefined ? [] : [verdict(what, own.cpuUs / before.cpuUs, 'at most', 0.5)],
        };
      }
    }
    await assertFullPath(hubs[0]);
  }
}

/** Throws when the hub took the fast path for anything. */
const assertFullPath = async ({ url, key }) => {
  const metrics = await (await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${key}` } })).text();
  const fast = /^plugboard_relay_path_total\{path="fast".*\} (\d+)$/mu.exec(metrics)?.[1] ?? '0';
  if (Number(fast) > 0) throw new Error(`${fast} calls took the fast path`);
};
