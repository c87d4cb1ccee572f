import { z } from 'zod';
import type { StoredFile } from '../session/stored-file.js';

export const FILE_URI_PREFIX = 'sandbox://files/';

export const fileShape = z.object({
  handle: z.string().describe('The key to the file.'),
  name: z.string(),
  size: z.number().int().describe('Bytes.'),
  uri: z.string().describe('The file as a resource.'),
});

export const describeFile = ({ handle, name, bytes }: StoredFile): z.infer<typeof fileShape> => ({
  handle,
  name,
  size: bytes.byteLength,
  uri: `${FILE_URI_PREFIX}${handle}`,
});

/** Undefined when the bytes are no text. */
export const textOf = (bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
};
