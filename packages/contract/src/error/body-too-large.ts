import { PlugboardError } from './plugboard-error.js';

const sizeWords = (bytes: number): string => (bytes % 1024 === 0 ? `${bytes / 1024} KiB` : `${bytes} bytes`);

/** The body of a request is larger than is read. */
export const bodyTooLarge = (limitBytes: number): PlugboardError =>
  new PlugboardError('PAYLOAD_TOO_LARGE', `The body is larger than ${sizeWords(limitBytes)}.`, {
    hint: 'Send less, or pass large data by reference.',
    details: { limit_bytes: limitBytes },
  });
