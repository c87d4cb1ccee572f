import { namesSecret } from '@plugboard/contract';

const MAX_CHARACTERS = 8192;
const MAX_TEXT = 2000;
const HIDDEN = '••••';

/** Members that hold bytes of pictures, sound and files. */
const isMedia = (name: string, value: string): boolean => (name === 'data' || name === 'blob') && value.length > 64;

const keptText = (name: string, text: string): string => {
  if (namesSecret(name)) return HIDDEN;
  if (isMedia(name, text)) return `${text.length} characters of data`;
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}… (${text.length} characters)` : text;
};

/**
 * A result of a tool as the audit trail keeps it, as JSON: values under telling names are hidden, media are counted, long texts
 * and whatever is beyond 8 KiB are cut.
 */
export const recordResult = (result: unknown): string => {
  let left = MAX_CHARACTERS;
  let cut = false;
  const kept = JSON.stringify(result, (name, value: unknown) => {
    if (left <= 0) {
      cut = true;
      return undefined;
    }
    left -= name.length + 4;
    if (typeof value === 'string') {
      const text = keptText(name, value);
      const fits = text.length > left ? `${text.slice(0, left)}…` : text;
      left -= fits.length;
      return fits;
    }
    return typeof value === 'number' && namesSecret(name) ? HIDDEN : value;
  }) as string | undefined;
  return `{"cut":${cut},"value":${kept ?? 'null'}}`;
};
