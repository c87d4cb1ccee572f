import { CHECKS, checkTarget, runChecks } from '@plugboard/check';
import type { CheckEra, CheckResult } from '@plugboard/contract';
import { FakeServer, type FakeTool } from '@plugboard/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startRealHub, type RealHub } from '../../support/real-hub.js';
import { ownerFetch } from '../../support/hub-keys.js';

const HUB_CHECKS = CHECKS.filter(({ family }) => family === 'hub');
const READS = { readOnlyHint: true };
const NO_PARAMETERS = { type: 'object', properties: {} };

const SHOW_META: FakeTool = {
  name: 'show_meta',
  inputSchema: NO_PARAMETERS,
  annotations: READS,
  handler: (_args, call) => JSON.stringify(call.meta),
};
const REPORT: FakeTool = {
  name: 'report',
  inputSchema: NO_PARAMETERS,
  annotations: READS,
  handler: (_args, call) => {
    call.progress({ progress: 1, total: 2 });
    call.progress({ progress: 2, total: 2 });
    return 'reported';
  },
};

/** One tool more with every call; it does not say that it only reads. */
const CHANGE: FakeTool = {
  name: 'change',
  inputSchema: NO_PARAMETERS,
  handler: () => {
    offered.push({ ...SHOW_META, name: `new_${offered.length}` });
    talkative.setTools(offered);
    return 'changed';
  },
};
const offered: FakeTool[] = [SHOW_META, REPORT, CHANGE];

const talkative = new FakeServer({ name: 'talkative', eras: 'modern', tools: offered });
const plain = new FakeServer({ name: 'plain', eras: 'legacy' });

let hub: RealHub;
let addresses: { readonly talkative: string; readonly plain: string; readonly gone: string };

const register = async (server_name: string, server_url: string): Promise<void> => {
  const config = { mcp_server_type: 'streamable_http', server_url };
  const answer = await ownerFetch(`${hub.url}/v1/mcp-servers`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ server_name, config }),
  });
  if (answer.status !== 200 && answer.status !== 201) throw new Error(await answer.text());
};

/** An address where nobody listens any more. */
const formerAddress = async (): Promise<string> => {
  const former = new FakeServer({ name: 'gone' });
  const { url } = await former.listenHttp();
  await former.close();
  return url;
};

beforeAll(async () => {
  hub = await startRealHub();
  addresses = {
    talkative: (await talkative.listenHttp()).url,
    plain: (await plain.listenHttp()).url,
    gone: await formerAddress(),
  };
  for (const [name, url] of Object.entries(addresses)) await register(name, url);
});
afterAll(async () => {
  await hub.close();
  await Promise.all([talkative.close(), plain.close()]);
});

interface Said {
  readonly servers?: readonly object[];
  readonly era?: CheckEra;
  /** Only this check, with leave to change what it needs to. */
  readonly only?: string;
}

const judge = async ({ servers = [], era = 'modern', only }: Said): Promise<readonly CheckResult[]> => {
  const target = checkTarget.parse({
    url: `${hub.url}/mcp`,
    transport: 'streamable-http',
    era,
    seed: 1,
    tools: { '*': {} },
    ...(only === undefined ? {} : { only: [only], tools: { talkative__change: {} } }),
    budgets: { quietMs: 60, requestMs: 5_000 },
    hub: {
      servers: [
        { prefix: 'talkative__', url: addresses.talkative },
        { prefix: 'plain__', url: addresses.plain },
        ...servers,
      ],
      changingTool: 'talkative__change',
      progressTool: 'talkative__report',
      metaTool: 'talkative__show_meta',
    },
  });
  const { results, outcome } = await runChecks(target, { checks: HUB_CHECKS, version: '0.0.0' });
  expect(['unreachable', 'not-examined']).not.toContain(outcome);
  return results;
};

const verdicts = (results: readonly CheckResult[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    results.map(({ id, verdict, detail }) => [id, verdict === 'pass' ? verdict : `${verdict}: ${detail ?? ''}`]),
  );

describe('the hub, judged as one that shows several servers as one', () => {
  it.each(['legacy', 'modern'] as const)(
    'shows all of them, whoever is down, and passes on what it should: %s',
    async (era) => {
      const found = verdicts(await judge({ era, servers: [{ prefix: 'gone__', url: addresses.gone, dead: true }] }));
      expect(found).toEqual({
        'HUB-01': 'pass',
        'HUB-02': 'pass',
        'HUB-03': 'not-verified: talkative__change is not listed, or may not be called.',
        'HUB-05': 'pass',
        'HUB-10': 'pass',
        'HUB-11': 'pass',
      });
    },
  );

  it('is not judged by what the operator says wrongly, or cannot show', async () => {
    const alive = verdicts(await judge({ servers: [{ prefix: 'plain__', url: addresses.plain, dead: true }] }));
    expect(alive['HUB-02']).toBe('not-verified: The server behind plain__ is declared as down, but answers.');
    const silent = verdicts(await judge({ servers: [{ prefix: 'gone__', url: addresses.gone }] }));
    expect(silent['HUB-01']).toMatch(/^not-verified: Not every server could be asked\. gone__: /u);
    expect(silent['HUB-02']).toBe('not-verified: The target file declares no server as down.');
  });

  it('fails when a server is not behind it', async () => {
    const found = verdicts(await judge({ servers: [{ prefix: 'other__', tools: ['search'] }] }));
    expect(found['HUB-01']).toBe('fail: other__search is missing.');
  });

  it.each(['legacy', 'modern'] as const)('tells its clients when the tools of a server change: %s', async (era) => {
    expect(verdicts(await judge({ era, only: 'HUB-03' }))).toEqual({ 'HUB-03': 'pass' });
  });
});
