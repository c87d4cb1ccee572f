import { at, type JsonObject } from '../connection/json.js';
import { META } from './meta.js';
import type { CheckEra } from '@plugboard/contract';

export const LEGACY_REVISIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;
export const MODERN_REVISIONS = ['2026-07-28'] as const;
export const REVISIONS = [...MODERN_REVISIONS, ...LEGACY_REVISIONS] as const;
export type LegacyRevision = (typeof LEGACY_REVISIONS)[number];
export type Revision = (typeof REVISIONS)[number];

export const LATEST: Readonly<Record<CheckEra, Revision>> = { legacy: '2025-11-25', modern: '2026-07-28' };

export const isRevision = (value: unknown): value is Revision => REVISIONS.some((revision) => revision === value);

export const eraOf = (revision: string): CheckEra => (revision >= MODERN_REVISIONS[0] ? 'modern' : 'legacy');

/** By which revision an answer is judged: what was agreed to, else what the request itself asked for. */
export const revisionOf = (sent: JsonObject | undefined, agreed: unknown, ofSession: string): string => {
  if (sent?.['method'] === 'initialize' && typeof agreed === 'string') return agreed;
  const asked = at(sent, 'params', '_meta', META.protocolVersion);
  return typeof asked === 'string' ? asked : ofSession;
};
