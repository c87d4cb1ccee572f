import { at } from '../../connection/json.js';
import { NoAnswer } from '../../connection/no-answer.js';
import type { Probe } from '../../probe/probe.js';
import { eraOf } from '../../session/revision.js';

const answersInitialize = async (probe: Probe): Promise<boolean> => {
  try {
    const { opening } = await probe.open({ era: 'legacy', mayFail: true });
    const version = at(opening.result, 'protocolVersion');
    return typeof version === 'string' && eraOf(version) === 'legacy';
  } catch (error) {
    if (error instanceof NoAnswer) return false;
    throw error;
  }
};

/** Does the server speak the legacy era? A run about the modern era only has not asked yet. */
export const speaksLegacy = async (probe: Probe): Promise<boolean> => {
  if (probe.target.era === undefined) return probe.facts.eras.includes('legacy');
  return probe.era === 'legacy' || (await probe.once('speaks legacy', () => answersInitialize(probe)));
};
