import { crc32 } from 'node:zlib';
import type { PieceEncoder } from '../wire/stream-piece.js';

const STRING_HEADER = 7;

const header = (name: string, value: string): Buffer => {
  const [key, text] = [Buffer.from(name), Buffer.from(value)];
  const lengths = Buffer.alloc(3);
  lengths.writeUInt8(STRING_HEADER, 0);
  lengths.writeUInt16BE(text.length, 1);
  return Buffer.concat([Buffer.from([key.length]), key, lengths, text]);
};

const number = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
};

/** A frame of `application/vnd.amazon.eventstream`: lengths and their checksum, headers, payload, checksum of all. */
export const eventFrame = (headers: Readonly<Record<string, string>>, payload: string): Buffer => {
  const head = Buffer.concat(Object.entries(headers).map(([name, value]) => header(name, value)));
  const body = Buffer.from(payload);
  const PRELUDE_AND_CHECKSUMS = 16;
  const lengths = Buffer.concat([number(head.length + body.length + PRELUDE_AND_CHECKSUMS), number(head.length)]);
  const message = Buffer.concat([lengths, number(crc32(lengths)), head, body]);
  return Buffer.concat([message, number(crc32(message))]);
};

/** Exceptions of the service travel as frames of another type. */
export const converseFrame: PieceEncoder = ({ event = '', data }) => {
  const isException = event.endsWith('Exception');
  return eventFrame(
    {
      [isException ? ':exception-type' : ':event-type']: event,
      ':content-type': 'application/json',
      ':message-type': isException ? 'exception' : 'event',
    },
    typeof data === 'string' ? data : JSON.stringify(data),
  );
};
