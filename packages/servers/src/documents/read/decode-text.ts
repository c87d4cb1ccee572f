const OLD_WESTERN = 'windows-1252';

/** Bytes as text: by their mark, else UTF-8 when they are valid UTF-8, else the encoding of old Western files. */
export const decodeText = (bytes: Uint8Array, declared?: string): string => {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return decodeAs(bytes, declared ?? OLD_WESTERN);
  }
};

const decodeAs = (bytes: Uint8Array, label: string): string => {
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    return new TextDecoder(OLD_WESTERN).decode(bytes);
  }
};
