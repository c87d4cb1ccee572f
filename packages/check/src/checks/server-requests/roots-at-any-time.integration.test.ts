import { MutantServer } from '@plugboard/testing';
import { expect, test } from 'vitest';
import { runChecks } from '../../run/run-checks.js';
import { checkTarget } from '../../target/target.js';
import { CHECKS } from '../registry.js';

const only = ['S2C-02', 'S2C-03', 'S2C-04'];
const ASKING = { jsonrpc: '2.0', id: 'roots-of-the-client', method: 'roots/list' } as const;

/** A server whose tools ask nothing, and which asks for the roots along with its answers to this method. */
const judge = async (method: string): Promise<readonly string[]> => {
  const server = new MutantServer({
    options: (options) => ({
      ...options,
      eras: 'legacy',
      tools: (options.tools ?? []).filter((tool) => typeof tool === 'object' && tool.name === 'add'),
    }),
    toClient: (message, { request }) => (request?.['method'] === method ? [ASKING, message] : message),
  });
  const target = checkTarget.parse({ command: ['in-process'], tools: { add: { safe: true } }, only, seed: 1 });
  const { results } = await runChecks(target, { checks: CHECKS, version: '0.0.0', launch: () => server.launch() });
  await server.close();
  return results.filter(({ id }) => only.includes(id)).map(({ id, verdict }) => `${id} ${verdict}`);
};

test.each(['initialize', 'tools/call'])(
  'when a legacy server asks for the roots makes no difference: with its answer to %s',
  async (method) => {
    expect(await judge(method)).toEqual(only.map((id) => `${id} not-verified`));
  },
);
