// Visits every endpoint in turn, many short rounds, so that whatever else the machine does falls on all alike.
import { openClient } from './client.mjs';
import { cpuUs } from './processes.mjs';

/** Of notifications that come with pauses: thousands of them. */
const WARM_UP_ROUNDS = 3;

const quantile = (values, share) =>
  values.toSorted((left, right) => left - right)[Math.floor(values.length * share)] ?? 0;
const median = (values) => quantile(values, 0.5);

const run = async (client, { method, params, concurrency }, requests) => {
  let left = requests;
  const times = [];
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      const started = performance.now();
      await client.call(method, params);
      times.push(performance.now() - started);
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: concurrency }, worker));
  return { seconds: (performance.now() - started) / 1000, times };
};

/** Sends requests at a fixed rate. A request that had to wait to be sent took that long, too. */
const runOpen = async (client, { method, params, perSecond }, requests) => {
  const times = [];
  const started = performance.now();
  const sent = [];
  const send = async (due) => {
    await client.call(method, params);
    times.push(performance.now() - due);
  };
  for (let index = 0; index < requests;) {
    const now = performance.now();
    for (; index < requests && started + (index * 1000) / perSecond <= now; index += 1) {
      sent.push(send(started + (index * 1000) / perSecond));
    }
    await new Promise((next) => setImmediate(next));
  }
  await Promise.all(sent);
  return { seconds: (performance.now() - started) / 1000, times };
};

const runLoad = (client, load, requests) =>
  load.perSecond === undefined ? run(client, load, requests) : runOpen(client, load, requests);

/**
 * CPU per request, requests per second and latency of each endpoint: the median of all rounds, so that a round in which
 * the machine did something else counts no more than any other. Warm-up is not counted.
 */
export const compare = async (endpoints, load, { rounds, requests, warmUp }) => {
  const visits = [];
  for (const endpoint of endpoints) {
    const client = await openClient(endpoint);
    // An endpoint may call the same thing by another name.
    const ownLoad = { ...load, ...endpoint.load };
    await runLoad(client, ownLoad, endpoint.slow === true ? Math.ceil(warmUp / 20) : warmUp);
    visits.push({ endpoint, client, load: ownLoad, cpu: [], rate: [], times: [] });
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const visit of visits) {
      const { pid, slow } = visit.endpoint;
      const share = slow === true ? Math.ceil(requests / 5) : requests;
      const before = pid === undefined ? 0 : cpuUs(pid);
      const { seconds, times } = await runLoad(visit.client, visit.load, share);
      visit.cpu.push(pid === undefined ? 0 : (cpuUs(pid) - before) / share);
      visit.rate.push(share / seconds);
      visit.times.push(...times);
    }
  }
  for (const { client } of visits) await client.close();
  return visits.map(({ endpoint, cpu, rate, times }) => ({
    name: endpoint.name,
    cpuUs: median(cpu),
    perSecond: median(rate),
    p50Ms: median(times),
    p99Ms: quantile(times, 0.99),
  }));
};

/**
 * How late notifications come, and the CPU for each of them: of each endpoint in turn, all rounds together. The calls of one
 * round begin at the same time.
 */
export const compareDelays = async (endpoints, { params, notifications, concurrency }, { rounds }) => {
  const visits = [];
  for (const endpoint of endpoints) visits.push({ endpoint, client: await openClient(endpoint), cpu: [], delays: [] });
  const visit = async ({ client }) => {
    const calls = Array.from({ length: concurrency }, () => client.paced(params, notifications));
    return (await Promise.all(calls)).flat();
  };
  for (const each of visits) for (let round = 0; round < WARM_UP_ROUNDS; round += 1) await visit(each);
  for (let round = 0; round < rounds; round += 1) {
    for (const each of visits) {
      const { pid } = each.endpoint;
      const before = pid === undefined ? 0 : cpuUs(pid);
      const delays = await visit(each);
      each.cpu.push(pid === undefined ? 0 : (cpuUs(pid) - before) / delays.length);
      each.delays.push(...delays);
    }
  }
  for (const { client } of visits) await client.close();
  return visits.map(({ endpoint, cpu, delays }) => ({
    name: endpoint.name,
    cpuUs: median(cpu),
    perSecond: 0,
    p50Ms: median(delays),
    p99Ms: quantile(delays, 0.99),
  }));
};
