import type { LookupFunction } from 'node:net';

/** Which addresses may be spoken to; whoever runs checks for others sets limits here. */
export interface Network {
  /** Throws when the URL may not be opened. */
  readonly admit: (url: string) => void;
  /** Resolves names, and refuses those that lead where nobody may go. */
  readonly lookup: LookupFunction;
}
