import { isJsonObject, type JsonObject } from '@plugboard/wire';

/** Tells a program that a result is not whole. */
export const CUT_META = 'dev.plugboard/cut';

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '');

/** The room that a notice needs. */
const NOTICE_BYTES = 400;

/** The longest beginning of a text that takes at most that many bytes, in whole characters. */
export const beginningOf = (text: string, maxBytes: number): string => {
  if (maxBytes <= 0) return '';
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  let end = maxBytes;
  // a byte that continues a character cannot be the first that is left out
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.toString('utf8', 0, end);
};

interface Excess {
  readonly size: number;
  readonly limit: number;
}

const inMib = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(2)} MiB`;

const notice = (what: string, { size, limit }: Excess): JsonObject => ({
  type: 'text',
  text: `[Plugboard: ${what} The result has ${inMib(size)}; this hub passes on at most ${inMib(limit)} of a result (guard.maxResultBytes in plugboard.json). Request less data, or a part of it.]`,
});

interface Kept {
  readonly content: readonly unknown[];
  readonly cut: number;
  readonly dropped: number;
}

/** Keeps content from its beginning on; the text that does not fit any more is cut, what cannot be cut is left out. */
const keepContent = (content: readonly unknown[], room: number): Kept => {
  const kept: unknown[] = [];
  let [left, cut, dropped] = [room, 0, 0];
  for (const block of content) {
    const size = bytesOf(block) + 1;
    if (size <= left) {
      kept.push(block);
      left -= size;
    } else if (isJsonObject(block) && typeof block['text'] === 'string' && block['type'] === 'text' && cut === 0) {
      // a character may take several bytes once it is written as JSON
      const share = left / Math.max(1, size);
      const text = beginningOf(block['text'], Math.floor(Buffer.byteLength(block['text']) * share));
      if (text !== '') kept.push({ ...block, text });
      cut = Buffer.byteLength(block['text']) - Buffer.byteLength(text);
      left = 0;
    } else {
      dropped += 1;
    }
  }
  return { content: kept, cut, dropped };
};

const sentence = ({ cut, dropped }: Kept): string =>
  [
    ...(cut > 0 ? [`${cut} bytes of text were cut off here.`] : []),
    ...(dropped > 0 ? [`${dropped} parts of the content were left out.`] : []),
  ].join(' ');

const refused = (result: JsonObject, { size, limit }: Excess): JsonObject => ({
  ...(result['resultType'] === undefined ? {} : { resultType: result['resultType'] }),
  content: [
    notice('the structured content of this result was not passed on, because a part of it would be wrong.', {
      size,
      limit,
    }),
  ],
  isError: true,
  _meta: {
    ...(isJsonObject(result['_meta']) ? result['_meta'] : {}),
    [CUT_META]: { bytes: size, limit, refused: true },
  },
});

/**
 * A result of a tool that is no larger than the limit. Text says how much of it was cut; structured content is passed on
 * whole or, when it alone is too large, refused together with the result.
 */
export const cutResult = (result: JsonObject, limit: number): JsonObject => {
  const size = bytesOf(result);
  if (size <= limit) return result;
  const { content, ...rest } = result;
  const room = limit - bytesOf(rest) - NOTICE_BYTES;
  if (room < 0) return refused(result, { size, limit });
  const kept = keepContent(Array.isArray(content) ? content : [], room);
  return {
    ...rest,
    content: [...kept.content, notice(sentence(kept), { size, limit })],
    _meta: {
      ...(isJsonObject(rest['_meta']) ? rest['_meta'] : {}),
      [CUT_META]: { bytes: size, limit, text_bytes_cut: kept.cut, parts_left_out: kept.dropped },
    },
  };
};
