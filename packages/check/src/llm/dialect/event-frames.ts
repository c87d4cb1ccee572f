import { crc32 } from 'node:zlib';

export interface Frame {
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: string;
}

export interface ReadFrames {
  readonly frames: readonly Frame[];
  /** What is wrong with the bytes after the last whole frame. */
  readonly problem?: string;
}

const PRELUDE = 12;
const CHECKSUM = 4;
const STRING_HEADER = 7;
const MAX_FRAME_BYTES = 16 * 1024 * 1024;

/** The headers of a frame; undefined where they do not end where they should. */
const readHeaders = (bytes: Buffer): Readonly<Record<string, string>> | undefined => {
  const headers: Record<string, string> = {};
  let at = 0;
  while (at < bytes.length) {
    const nameEnd = at + 1 + bytes.readUInt8(at);
    if (nameEnd + 3 > bytes.length || bytes.readUInt8(nameEnd) !== STRING_HEADER) return undefined;
    const end = nameEnd + 3 + bytes.readUInt16BE(nameEnd + 1);
    if (end > bytes.length) return undefined;
    headers[bytes.toString('utf8', at + 1, nameEnd)] = bytes.toString('utf8', nameEnd + 3, end);
    at = end;
  }
  return headers;
};

const readFrame = (bytes: Buffer): Frame | string => {
  const headBytes = bytes.readUInt32BE(4);
  if (crc32(bytes.subarray(0, 8)) !== bytes.readUInt32BE(8)) return 'The checksum of a frame’s lengths is wrong.';
  const end = bytes.length - CHECKSUM;
  if (crc32(bytes.subarray(0, end)) !== bytes.readUInt32BE(end)) return 'The checksum of a frame is wrong.';
  if (PRELUDE + headBytes > end) return 'The headers of a frame are longer than the frame.';
  const headers = readHeaders(bytes.subarray(PRELUDE, PRELUDE + headBytes));
  if (headers === undefined) return 'The headers of a frame cannot be read.';
  return { headers, payload: bytes.toString('utf8', PRELUDE + headBytes, end) };
};

/** Reads the frames of `application/vnd.amazon.eventstream`. */
export const readFrames = (input: Uint8Array): ReadFrames => {
  const bytes = Buffer.from(input.buffer, input.byteOffset, input.byteLength);
  const frames: Frame[] = [];
  let at = 0;
  while (at < bytes.length) {
    if (bytes.length - at < PRELUDE + CHECKSUM) {
      return { frames, problem: 'The stream stops in the middle of a frame.' };
    }
    const length = bytes.readUInt32BE(at);
    if (length < PRELUDE + CHECKSUM || length > MAX_FRAME_BYTES) {
      return { frames, problem: `A frame states a length of ${length} bytes.` };
    }
    if (at + length > bytes.length) return { frames, problem: 'The stream stops in the middle of a frame.' };
    const frame = readFrame(bytes.subarray(at, at + length));
    if (typeof frame === 'string') return { frames, problem: frame };
    frames.push(frame);
    at += length;
  }
  return { frames };
};
