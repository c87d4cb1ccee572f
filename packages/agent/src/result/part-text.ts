import type { ContentPart } from './tool-outcome.js';

/** The text that the model reads in place of a part. Undefined: a picture or a sound, which goes along as itself. */
export const partText = (part: ContentPart): string | undefined => {
  if (part.type === 'text') return typeof part['text'] === 'string' ? part['text'] : '';
  if (part.type === 'image' || part.type === 'audio') return undefined;
  return JSON.stringify(part);
};
