import type { FormatHints } from '../format/detect-format.js';

/** A document that was fetched from where it lies. */
export interface LoadedSource {
  readonly bytes: Uint8Array;
  readonly hints: FormatHints;
}
