import type { CheckEra, CheckSource } from '@plugboard/contract';
import { spec } from './spec.js';

/** A sentence that the last legacy revision and the modern one have alike. */
export const inBoth = (page: string, sentence: string, modernPage = page): Readonly<Record<CheckEra, CheckSource>> => ({
  legacy: spec('2025-11-25', page, sentence),
  modern: spec('2026-07-28', modernPage, sentence),
});
