const MIB = 1024 * 1024;

/** How much of anything is accepted; each has a flag or is fixed here. */
export interface Limits {
  /** Bytes of a document as it comes. */
  readonly inputBytes: number;
  /** Bytes of all parts of an archive once unpacked. */
  readonly archiveBytes: number;
  readonly archiveEntries: number;
  readonly pages: number;
  readonly cells: number;
  /** Characters of the converted document. */
  readonly outputCharacters: number;
  /** Nesting of elements. */
  readonly depth: number;
  readonly imageBytes: number;
  readonly images: number;
}

export const DEFAULT_LIMITS: Limits = {
  inputBytes: 25 * MIB,
  archiveBytes: 100 * MIB,
  archiveEntries: 5000,
  pages: 2000,
  cells: 500_000,
  outputCharacters: 10_000_000,
  depth: 200,
  imageBytes: 5 * MIB,
  images: 50,
};
