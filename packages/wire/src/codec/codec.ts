import { rev20241105 } from '../rev-2024-11-05/revision.js';
import { rev20250326 } from '../rev-2025-03-26/revision.js';
import { rev20250618 } from '../rev-2025-06-18/revision.js';
import { rev20251125 } from '../rev-2025-11-25/revision.js';
import { rev20260728 } from '../rev-2026-07-28/revision.js';
import type { Era, Revision, RevisionId } from '../revision/revision.js';

/** Every revision, oldest first. Nothing outside this file enters a revision's folder. */
const REVISIONS: Readonly<Record<RevisionId, Revision>> = {
  '2024-11-05': rev20241105,
  '2025-03-26': rev20250326,
  '2025-06-18': rev20250618,
  '2025-11-25': rev20251125,
  '2026-07-28': rev20260728,
};

/** A draft that some servers still answer; it never was different on the wire from its successor. */
const ALIASES: Readonly<Record<string, RevisionId>> = { '2024-10-07': '2024-11-05' };

export const LATEST_LEGACY: RevisionId = '2025-11-25';
export const LATEST_MODERN: RevisionId = '2026-07-28';

/** What a legacy client speaks that sends no version with its requests. */
export const ASSUMED_REVISION: RevisionId = '2025-03-26';
/** The revision of HTTP+SSE; clients of later ones that use it say so when they initialize. */
export const HTTP_SSE_REVISION: RevisionId = '2024-11-05';

export const revisionOf = (id: RevisionId): Revision => REVISIONS[id];

/** The revision that goes by this name, aliases included; undefined when there is none. */
export const findRevision = (name: string): Revision | undefined => {
  const id = Object.hasOwn(ALIASES, name) ? ALIASES[name] : name;
  return id !== undefined && Object.hasOwn(REVISIONS, id) ? REVISIONS[id as RevisionId] : undefined;
};

/** The newest revision of an era that is among the offered names. */
export const chooseRevision = (offered: readonly string[], era: Era): Revision | undefined =>
  Object.values(REVISIONS)
    .filter((revision) => revision.era === era)
    .toReversed()
    .find((revision) => offered.some((name) => findRevision(name) === revision));
