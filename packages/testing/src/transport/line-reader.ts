import type { Readable } from 'node:stream';

const NEWLINE = 0x0a;

/** The lines of a byte stream; bytes are joined before they are decoded, so that no character is broken. */
export async function* readLines(input: Readable): AsyncGenerator<string> {
  let parts: Buffer[] = [];
  for await (const chunk of input) {
    let bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE)) {
      parts.push(bytes.subarray(0, end));
      yield Buffer.concat(parts).toString('utf8').replace(/\r$/, '');
      parts = [];
      bytes = bytes.subarray(end + 1);
    }
    if (bytes.length > 0) parts.push(bytes);
  }
}
