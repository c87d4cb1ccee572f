export type Era = 'legacy' | 'modern';
export type Eras = Era | 'both';

export const LEGACY_REVISIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;
export const MODERN_REVISIONS = ['2026-07-28'] as const;

export const isModernRevision = (revision: string): boolean => revision >= MODERN_REVISIONS[0];

/** The revisions that a server of these eras speaks when nothing else is said, newest first. */
export const revisionsOf = (eras: Eras): readonly string[] => {
  switch (eras) {
    case 'legacy':
      return LEGACY_REVISIONS;
    case 'modern':
      return MODERN_REVISIONS;
    case 'both':
      return [...MODERN_REVISIONS, ...LEGACY_REVISIONS];
    default:
      return eras satisfies never;
  }
};
