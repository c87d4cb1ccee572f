import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startRealHub, type RealHub } from '../../support/real-hub.js';
import { flawsOf } from './outcome.js';
import { REVISIONS, requiredScenarios, runClientScenario } from './run-suite.js';

/** The suite knows the metadata of this client without reading it. */
const CLIENT_METADATA_URL = 'https://conformance-test.local/client-metadata.json';
const DRIVER = fileURLToPath(new URL('auth-through-hub.mjs', import.meta.url));

let hub: RealHub;
beforeAll(async () => {
  hub = await startRealHub({ settings: { clientMetadataUrl: CLIENT_METADATA_URL } });
});
afterAll(() => hub.close());

describe.each(REVISIONS)('the hub as a client of %s that is authorized', (revision) => {
  const required = requiredScenarios(revision, 'client').filter((name) => name.startsWith('auth/'));

  it('meets all that the revision requires', () => {
    expect(required).toHaveLength(revision === '2025-11-25' ? 14 : 25);
  });

  it.each(required)('%s', { timeout: 120_000 }, async (scenario) => {
    const command = `${process.execPath} ${DRIVER} ${hub.url} ${hub.key}`;
    const { outcomes, code, output } = await runClientScenario(command, revision, scenario);
    const warnings = outcomes.flatMap(({ checks }) => checks.filter(({ status }) => status === 'WARNING'));
    const said = code === 0 ? '' : output;
    expect({ flaws: flawsOf(outcomes), warnings, said }).toEqual({ flaws: [], warnings: [], said: '' });
  });
});
