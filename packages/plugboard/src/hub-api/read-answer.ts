import { PlugboardError } from '@plugboard/contract';
import type { z } from 'zod';
import type { HubAnswer } from './hub-api.js';

/** An answer of the hub in the shape that this program relies on. It may hold a key, so nothing of it is in the error. */
export const readAnswer = <T>(schema: z.ZodType<T>, { json }: Pick<HubAnswer, 'json'>, about: string): T => {
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new PlugboardError('INTERNAL', `The hub's answer about ${about} has an unknown shape.`, {
    hint: 'Check that the hub and this program are of the same version.',
  });
};
