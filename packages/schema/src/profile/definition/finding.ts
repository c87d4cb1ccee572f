import type { GradeReason } from '@plugboard/contract';

/** One breach of a profile's rule. */
export interface ProfileFinding extends GradeReason {
  readonly level: 'error' | 'warning';
}

/** What a check saw, before it is known which rule asked. */
export interface Sighting {
  /** JSON pointer into the input schema; empty for the root and for the tool itself. */
  readonly pointer: string;
  readonly message: string;
  readonly fix?: string;
}
