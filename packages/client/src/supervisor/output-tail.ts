import { redaction } from '../redact/redaction.js';

export interface OutputTailLimits {
  /** How many bytes of the end of a stream are kept. */
  readonly bytes: number;
  /** How many lines of them are quoted. */
  readonly lines: number;
  /** How many characters of one line are quoted. */
  readonly lineLength: number;
}

export const defaultTailLimits: OutputTailLimits = { bytes: 32_768, lines: 50, lineLength: 1_000 };

export interface OutputTail {
  append(chunk: Buffer): void;
  /** The last lines, oldest first, with the given secrets redacted. */
  lines(): readonly string[];
}

/**
 * The end of a stream that nobody reads to the end.
 * Chunks are kept as they come and decoded only when asked, so that a flood costs next to nothing.
 */
export const createOutputTail = (
  limits: OutputTailLimits = defaultTailLimits,
  secrets: readonly string[] = [],
): OutputTail => {
  const redacted = redaction(secrets);
  let chunks: Buffer[] = [];
  let size = 0;
  let cut = false;
  return {
    append(chunk) {
      // A copy of the end: a slice would keep the whole pooled chunk alive.
      const kept = chunk.length > limits.bytes ? Buffer.from(chunk.subarray(chunk.length - limits.bytes)) : chunk;
      cut ||= kept !== chunk;
      chunks.push(kept);
      size += kept.length;
      let head = chunks[0];
      while (head !== undefined && size - head.length >= limits.bytes) {
        chunks.shift();
        size -= head.length;
        cut = true;
        head = chunks[0];
      }
    },
    lines() {
      const bytes = Buffer.concat(chunks);
      chunks = bytes.length === 0 ? [] : [bytes];
      const lines = redacted(bytes.toString('utf8')).split(/\r\n|\n|\r/u);
      const whole = cut && lines.length > 1 ? lines.slice(1) : lines;
      return whole
        .filter((line) => line.trim() !== '')
        .slice(-limits.lines)
        .map((line) => (line.length > limits.lineLength ? `${line.slice(0, limits.lineLength)}…` : line));
    },
  };
};
