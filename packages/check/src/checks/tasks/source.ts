import type { CheckEra, CheckSource } from '@plugboard/contract';
import { BOTH_ERAS, MODERN_TRANSPORTS } from '../../model/check.js';
import { spec } from '../instrument/spec.js';

export const TASKS = { family: 'tasks', eras: BOTH_ERAS, transports: MODERN_TRANSPORTS } as const;

/** A sentence of the tasks extension. */
export const extension = (anchor: string, sentence: string): CheckSource => ({
  sentence,
  url: `https://modelcontextprotocol.io/seps/2663-tasks-extension#${anchor}`,
});

export const legacyTasks = (anchor: string, sentence: string): CheckSource =>
  spec('2025-11-25', `basic/utilities/tasks#${anchor}`, sentence);

export const inEras = (legacy: CheckSource, modern: CheckSource): Readonly<Record<CheckEra, CheckSource>> => ({
  legacy,
  modern,
});
