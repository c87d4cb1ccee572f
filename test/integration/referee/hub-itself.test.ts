import { type Check, CHECKS, checkTarget, runChecks } from '@plugboard/check';
import type { CheckEra, CheckReport, CheckResult } from '@plugboard/contract';
import { referenceServer, type MutantServer } from '@plugboard/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEverything, type NpmHttpServer } from '../../support/npm-server.js';
import { startRealHub, type RealHub } from '../../support/real-hub.js';
import { ownerFetch } from '../../support/hub-keys.js';

/** Only these can fail. */
const MUST = CHECKS.filter(({ level }) => level === 'MUST');
const BUDGETS = { quietMs: 60, requestMs: 5_000, concurrency: 8, generated: 2 };

let hub: RealHub;
let everything: NpmHttpServer;
const references: MutantServer[] = [];
const direct = new Map<string, string>();

const register = async (server_name: string, config: object): Promise<void> => {
  const answer = await ownerFetch(`${hub.url}/v1/mcp-servers`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ server_name, config }),
  });
  if (answer.status !== 200 && answer.status !== 201) throw new Error(await answer.text());
};

const registerReference = async (server_name: string, eras: 'legacy' | 'modern'): Promise<void> => {
  const server = referenceServer(eras);
  references.push(server);
  const { url } = await server.listenHttp();
  direct.set(server_name, url);
  await register(server_name, { mcp_server_type: 'streamable_http', server_url: url });
};

beforeAll(async () => {
  hub = await startRealHub();
  await registerReference('newer', 'modern');
  // Over HTTP, so that a session does not cost a process.
  everything = await startEverything('streamableHttp');
  const server_url = `${everything.origin}/mcp`;
  direct.set('everything', server_url);
  await register('everything', { mcp_server_type: 'streamable_http', server_url });
});
afterAll(async () => {
  await hub.close();
  await everything.close();
  await Promise.all(references.map((server) => server.close()));
});

/** Its defaults would keep every check waiting that calls all tools. */
const BRIEF = { arguments: { duration: 1, steps: 2 } };
const QUICK = {
  'trigger-long-running-operation': BRIEF,
  'everything__trigger-long-running-operation': BRIEF,
  sleep: { arguments: { ms: 5 } },
  progress: { arguments: { steps: 2 } },
  '*': {},
};

/** The schemas of the fakes are not strict, and the hub shows them as they are. */
const LOOSE = ['OAI-13', 'ANT-08'];

const judge = (path: string, era: CheckEra, checks: readonly Check[] = MUST): Promise<CheckReport> =>
  runChecks(
    checkTarget.parse({
      url: hub.url + path,
      transport: 'streamable-http',
      era,
      seed: 1,
      budgets: BUDGETS,
      tools: QUICK,
      skip: [...LOOSE],
    }),
    { checks, version: '0.0.0' },
  );

/** The hub's endpoint in front of a server, compared with the server itself. */
const compareDirect = (name: string, url: string, era: CheckEra): Promise<CheckReport> =>
  runChecks(
    checkTarget.parse({
      url: `${hub.url}/servers/${name}/mcp`,
      transport: 'streamable-http',
      era,
      seed: 1,
      budgets: BUDGETS,
      tools: QUICK,
      differential: { url, transport: 'streamable-http' },
    }),
    { checks: [], version: '0.0.0' },
  );

const brief = ({ id, verdict, detail }: CheckResult): string => `${id} ${verdict}: ${detail ?? ''}`;

const eras = ['legacy', 'modern'] as const;

/** A run in which little could be judged would prove nothing. */
const fewIn = ({ reason, summary }: CheckReport): readonly string[] =>
  summary.pass > 50 ? [] : [`Only ${summary.pass} checks passed: ${reason ?? ''}`];

const faultsOf = async (path: string, era: CheckEra): Promise<readonly string[]> => {
  const report = await judge(path, era);
  return [...report.results.filter(({ verdict }) => verdict === 'fail').map(brief), ...fewIn(report)];
};

/** What is broken or doubtful there, advice included. */
const doubtsOf = async (path: string, era: CheckEra): Promise<readonly string[]> => {
  const report = await judge(path, era, CHECKS);
  const doubted = report.results.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn');
  return [...doubted.map(brief), ...fewIn(report)];
};

describe('the hub, judged by the referee', () => {
  it.each(eras)('breaks nothing that it must keep where it serves several servers as one: %s', async (era) => {
    expect(await faultsOf('/mcp', era)).toEqual([]);
  });

  describe('with a server that came later, and is older', () => {
    beforeAll(() => registerReference('older', 'legacy'));

    // The reference gives no cause for doubt, so the hub would.
    it.each(eras)('leaves no doubt: %s', async (era) => {
      expect(await doubtsOf('/servers/older/mcp', era)).toEqual([]);
    });

    it.each(['older', 'newer', 'everything'].flatMap((name) => eras.map((era) => [name, era] as const)))(
      'says the same as the server behind it: %s, to a %s client',
      async (name, era) => {
        const { results, reason } = await compareDirect(name, direct.get(name) ?? '', era);
        expect(reason).toBeUndefined();
        expect(results.filter(({ verdict }) => verdict === 'fail').map(brief)).toEqual([]);
        expect(results.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(7);
      },
    );
  });

  it.each(eras)('leaves no doubt in front of a newer server: %s', async (era) => {
    expect(await doubtsOf('/servers/newer/mcp', era)).toEqual([]);
  });

  it.each(eras)('breaks nothing that it must keep in front of server-everything: %s', async (era) => {
    expect(await faultsOf('/servers/everything/mcp', era)).toEqual([]);
  });
});
