import { hubCall } from '../../support/hub-call.js';
import { startRealHub } from '../../support/real-hub.js';
import type { Cell } from './cell.js';
import { startFixture } from './fixture-upstream.js';
import type { ScenarioOutcome } from './outcome.js';
import { runServerSuite } from './run-suite.js';

/** The suite against the fixture itself: what a hub may at most be asked for. */
export const runDirectly = async ({
  revision,
  ...upstream
}: Omit<Cell, 'transport'>): Promise<readonly ScenarioOutcome[]> => {
  await using fixture = await startFixture({ ...upstream, transport: 'http' });
  return await runServerSuite(fixture.url ?? '', revision);
};

/** The suite against one server of a hub that is composed as for users. */
export const runThroughHub = async ({ revision, ...upstream }: Cell): Promise<readonly ScenarioOutcome[]> => {
  await using fixture = await startFixture(upstream);
  const hub = await startRealHub();
  try {
    const body = { server_name: 'fixture', config: fixture.config };
    const { status, json } = await hubCall(hub.url, 'POST', '/v1/mcp-servers/', body);
    if (status >= 300) throw new Error(`The fixture could not be registered: ${JSON.stringify(json)}`);
    return await runServerSuite(`${hub.url}/servers/fixture/mcp`, revision);
  } finally {
    await hub.close();
  }
};
