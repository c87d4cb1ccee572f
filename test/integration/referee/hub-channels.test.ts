import { PassThrough } from 'node:stream';
import { CHECKS, checkTarget, runChecks } from '@plugboard/check';
import { referenceServer } from '@plugboard/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runProxy } from '../../../packages/plugboard/src/stdio-proxy/stdio-proxy.js';
import { startRealHub, type RealHub } from '../../support/real-hub.js';
import { addServer, httpConfig } from '../gateway/rig.js';

const SERVER = 'older';
const server = referenceServer('legacy');
let hub: RealHub;

beforeAll(async () => {
  hub = await startRealHub();
  await addServer(hub, SERVER, httpConfig((await server.listenHttp()).url));
});
afterAll(async () => {
  await hub.close();
  await server.close();
});

type Serve = (input: PassThrough, output: PassThrough, signal: AbortSignal) => Promise<void>;

/** What serves two pipes, as the referee sees a program. */
const program = (serve: Serve) => () => {
  const [stdin, stdout, stop] = [new PassThrough(), new PassThrough(), new AbortController()];
  const exited = serve(stdin, stdout, stop.signal).then(() => {
    stdout.end();
    return { code: 0, signal: null };
  });
  return { pid: undefined, stdin, stdout, stderr: undefined, exited, kill: () => stop.abort() };
};

const asHub = program((input, output, signal) => hub.serveStdio({ input, output }, signal, { server: SERVER }));
const throughHub = program((input, output, signal) =>
  runProxy({
    findHub: () => Promise.resolve({ url: hub.url, key: undefined }),
    fetch,
    path: `/servers/${SERVER}/mcp`,
    input,
    output,
    signal,
  }),
);

/** On a channel nothing says that no answer will come, so checks wait a while: long enough for a busy machine. */
const budgets = { quietMs: 500, requestMs: 10_000, concurrency: 8, generated: 2 };

/** The schemas of the fake are not strict, and the hub shows them as they are. */
const LOOSE = ['OAI-13', 'ANT-08'];

const doubtsOf = async (place: object, launch?: typeof asHub): Promise<readonly string[]> => {
  const tools = { '*': {}, sleep: { arguments: { ms: 5 } }, progress: { arguments: { steps: 2 } } };
  const target = checkTarget.parse({ era: 'legacy', seed: 1, budgets, tools, skip: [...LOOSE], ...place });
  const { results, summary } = await runChecks(target, { checks: CHECKS, version: '0.0.0', launch });
  expect(summary.pass).toBeGreaterThan(100);
  const doubted = results.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn');
  return doubted.map(({ id, verdict, detail }) => `${id} ${verdict}: ${detail ?? ''}`);
};

describe('a request over a channel', () => {
  it('has its time for an answer, however short the silence is after which no second one is expected', async () => {
    const target = checkTarget.parse({ era: 'legacy', command: ['in-process'], budgets: { ...budgets, quietMs: 1 } });
    const checks = CHECKS.filter(({ id }) => id === 'RPC-03');
    const { results } = await runChecks(target, { checks, version: '0.0.0', launch: throughHub });
    expect(results.map(({ id, verdict }) => [id, verdict])).toEqual([['RPC-03', 'pass']]);
  });
});

// A hundred checks each: on a busy machine that takes its time.
describe('the hub, judged by the referee, leaves no doubt', { timeout: 180_000 }, () => {
  it('over HTTP+SSE', async () => {
    expect(await doubtsOf({ url: `${hub.url}/servers/${SERVER}/sse`, transport: 'sse' })).toEqual([]);
  });

  it('over stdio', async () => {
    expect(await doubtsOf({ command: ['in-process'] }, asHub)).toEqual([]);
  });

  it('over stdio through a hub that runs already', async () => {
    expect(await doubtsOf({ command: ['in-process'] }, throughHub)).toEqual([]);
  });
});
