import { redaction } from '@plugboard/client';

/** Providers repeat keys in their messages: as they are, or encoded. */
export const hideKey = (text: string, keys: readonly (string | undefined)[]): string =>
  redaction(keys.filter((key) => key !== undefined))(text);
