import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startRealHub, type RealHub } from '../../support/real-hub.js';
import { flawsOf } from './outcome.js';
import { REVISIONS, requiredScenarios, runClientScenario, type Revision } from './run-suite.js';

/** Scenarios that need an authorization server are told apart by their names. */
const isPlain = (scenario: string): boolean => !scenario.startsWith('auth/');
const plainScenarios = (revision: Revision): readonly string[] => requiredScenarios(revision, 'client').filter(isPlain);

/** This one measures how long the client waits, to fractions of a second, which a busy machine can spoil. */
const MEASURES_TIME = 'sse-retry';

const driver = (file: string): string => `${process.execPath} ${fileURLToPath(new URL(file, import.meta.url))}`;

/** The flaws that were found; none also means that the client itself ended well. */
const judge = async (command: string, revision: Revision, scenario: string): Promise<readonly string[]> => {
  const attempts = scenario === MEASURES_TIME ? 3 : 1;
  let flaws: readonly string[] = [];
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const { outcomes, code, output } = await runClientScenario(command, revision, scenario);
    flaws = code === 0 ? flawsOf(outcomes) : [...flawsOf(outcomes), output];
    if (flaws.length === 0) return [];
  }
  return flaws;
};

describe('the official client scenarios', () => {
  it('are as many as when this was written', () => {
    expect(plainScenarios('2025-11-25')).toHaveLength(4);
    expect(plainScenarios('2026-07-28')).toHaveLength(7);
  });
});

describe.each(REVISIONS)('the official client scenarios of %s', (revision) => {
  let hub: RealHub;
  beforeAll(async () => {
    hub = await startRealHub();
  });
  afterAll(() => hub.close());

  it.each(plainScenarios(revision))('the hub: %s', async (scenario) => {
    expect(await judge(`${driver('hub-as-client.mjs')} ${hub.url} ${hub.key}`, revision, scenario)).toEqual([]);
  });

  it.each(plainScenarios(revision))("Plugboard's own client: %s", async (scenario) => {
    expect(await judge(driver('own-client.mjs'), revision, scenario)).toEqual([]);
  });
});
