import type { ToolOutcome } from './tool-outcome.js';

/** A picture or a sound of a result, in Base64. */
export interface Media {
  readonly kind: 'image' | 'audio';
  readonly data: string;
  readonly mimeType: string;
}

// It stands in URLs and in texts that the model reads: a server must not say anything else there.
const MIME_TYPE = /^[\w.+-]{1,127}\/[\w.+-]{1,127}$/u;
const UNKNOWN = 'application/octet-stream';

export const mediaOf = ({ content }: ToolOutcome): readonly Media[] =>
  content.flatMap((part): Media[] => {
    const { data, mimeType } = part;
    if ((part.type !== 'image' && part.type !== 'audio') || typeof data !== 'string' || typeof mimeType !== 'string') {
      return [];
    }
    return [{ kind: part.type, data, mimeType: MIME_TYPE.test(mimeType) ? mimeType : UNKNOWN }];
  });
