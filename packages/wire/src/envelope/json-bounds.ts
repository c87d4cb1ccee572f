import { exceededJsonBound } from '@plugboard/base';

/** Texts this short cannot hold enough to matter. */
const SMALL_CHARS = 2048;

/** How much structure one message may have. */
export const JSON_BOUNDS = { depth: 512, values: 1_000_000, messages: 1000 } as const;

/** Why a JSON text is not worth parsing; undefined when it is. */
export const beyondBounds = (
  text: string,
  { depth, values }: { readonly depth: number; readonly values: number } = JSON_BOUNDS,
): string | undefined => {
  switch (exceededJsonBound(text, { depth, values, uncheckedChars: SMALL_CHARS })) {
    case 'depth':
      return `the message is nested more than ${depth} levels deep`;
    case 'values':
      return `the message has more than ${values} values`;
    case undefined:
      return undefined;
  }
};
