import { nearest } from '@plugboard/base';
import { PlugboardError } from '@plugboard/contract';
import type { z } from 'zod';
import { someOf } from '../../terminal/count.js';

const SHOWN = 12;

/** Reads an answer of the hub about its `kind`s, such as agents. */
export const readAnswer =
  (kind: string) =>
  <T>(schema: z.ZodType<T>, json: unknown): T => {
    const parsed = schema.safeParse(json);
    if (parsed.success) return parsed.data;
    throw new PlugboardError('INTERNAL', `The hub's answer about its ${kind}s has an unknown shape.`, {
      hint: 'Check that the hub and this program are of the same version.',
      cause: parsed.error,
    });
  };

/** Nothing of that kind has the name: says what there is, and what was probably meant. */
export const noSuchEntry = (kind: string, name: string, known: readonly string[]): PlugboardError => {
  const near = nearest(name, known);
  const list =
    known.length === 0 ? `There is none yet: plugboard ${kind} create <name>` : `Known: ${someOf(known, SHOWN)}.`;
  return new PlugboardError('NOT_FOUND', `There is no ${kind} called "${name}".`, {
    hint: near === undefined ? list : `Did you mean "${near}"? ${list}`,
  });
};
