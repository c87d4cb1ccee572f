import type { CheckEvidence } from '@plugboard/contract';
import { MUTANTS, mutantServer } from '@plugboard/testing';
import { describe, expect, test } from 'vitest';
import { CHECKS } from '../checks/registry.js';
import { at, tryJson } from '../connection/json.js';
import { runCell } from '../test-support/cell.js';

const evidenceOn = async (name: string): Promise<CheckEvidence> => {
  const mutant = MUTANTS.find((one) => one.name === name);
  if (mutant === undefined) throw new Error(`There is no mutant ${name}.`);
  const checks = CHECKS.filter(({ id }) => id === mutant.kills);
  const { results } = await runCell(mutantServer(mutant), 'stdio', { checks, era: 'legacy' });
  const found = results.find(({ id, evidence }) => id === mutant.kills && evidence !== undefined)?.evidence;
  if (found === undefined) throw new Error(`${name} was not found.`);
  return found;
};

describe('the evidence of a finding, in a conversation that checks share', () => {
  test('has the answer to what was sent, and none to other requests', async () => {
    const { sent, received } = await evidenceOn('unknown-tool-is-a-result');
    expect(received.split('\n').map((line) => at(tryJson(line), 'id'))).toEqual([at(tryJson(sent), 'id')]);
  });

  test('has nothing received when nothing answers it', async () => {
    const { sent, received } = await evidenceOn('batches-dropped');
    expect(sent).toContain('batch-1');
    expect(received).toBe('');
  });
});
