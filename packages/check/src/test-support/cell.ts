import type { CheckEra, CheckReport, CheckTransport } from '@plugboard/contract';
import type { FakeNetwork, MutantServer } from '@plugboard/testing';
import { CHECKS } from '../checks/registry.js';
import type { Network } from '../connection/network.js';
import type { Check } from '../model/check.js';
import { runChecks } from '../run/run-checks.js';
import { checkTarget, type CheckTargetInput } from '../target/target.js';

/** The reference is fast, so a test need not be patient with it. */
const TARGET: CheckTargetInput = {
  prompts: { '*': {} },
  tools: {
    '*': {},
    log: {},
    elicit: {},
    sample: {},
    roots: {},
    sleep: { arguments: { ms: 300 } },
    progress: { arguments: { steps: 3 } },
  },
};
const BUDGETS = { quietMs: 20, requestMs: 2_000, startMs: 5_000, concurrency: 8 };

export interface CellOptions {
  readonly checks?: readonly Check[];
  readonly target?: CheckTargetInput;
  readonly era?: CheckEra;
  /** Default: real sockets. */
  readonly network?: FakeNetwork | undefined;
}

/** The address, and the tokens that a guarded server wants to see. */
const guardedAddress = (server: MutantServer, url: string): CheckTargetInput => {
  const address = { url, transport: 'streamable-http' } as const;
  const known = server.credentialsFor(url);
  if (known === undefined) return address;
  const { token, otherToken, ...tokens } = known;
  return {
    ...address,
    headers: { authorization: `Bearer ${token}` },
    otherHeaders: { authorization: `Bearer ${otherToken}` },
    tools: { '*': {}, elicit: {}, sleep: { safe: false }, progress: { safe: false } },
    authorization: { register: true, upstreamTool: 'show_upstream', ...tokens },
  };
};

const addressOf = async (
  server: MutantServer,
  transport: CheckTransport,
  network: FakeNetwork | undefined,
): Promise<CheckTargetInput> => {
  switch (transport) {
    case 'stdio':
      return { command: ['in-process'] };
    case 'streamable-http':
      return guardedAddress(server, (await server.listenHttp(network)).url);
    case 'sse':
      return { url: (await server.listenSse(network)).url, transport };
    default:
      return transport satisfies never;
  }
};

/** The network as the referee uses it: everything may be spoken to. */
export const networkOf = (network: FakeNetwork): Network => ({
  admit: () => undefined,
  lookup: (_host, _options, done) => done(null, '127.0.0.1', 4),
  connect: (port, host) => network.connect(port, host),
});

/** Runs checks on a server inside this process, over one transport, and closes the server. */
export const runCell = async (
  server: MutantServer,
  transport: CheckTransport,
  { checks = CHECKS, target = {}, era, network }: CellOptions = {},
): Promise<CheckReport> => {
  try {
    const address = await addressOf(server, transport, network);
    const parsed = checkTarget.parse({
      tier: 'full',
      seed: 1,
      ...TARGET,
      ...address,
      ...(era === undefined ? {} : { era }),
      ...target,
      tools: { ...TARGET.tools, ...address.tools, ...target.tools },
      budgets: { ...BUDGETS, ...target.budgets },
    });
    return await runChecks(parsed, {
      checks,
      version: '0.0.0',
      launch: () => server.launch(),
      network: network === undefined ? undefined : networkOf(network),
    });
  } finally {
    await server.close();
  }
};
