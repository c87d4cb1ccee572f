import { isJsonObject } from '@plugboard/base';
import { finite, listOf, record, text, withMembers } from './member/repair.js';
import { annotations, LISTED_MEMBERS } from './member/shared-members.js';

const ALPHABET = /^[A-Za-z0-9+/]*$/u;

/** The text as official clients decode it: white space does not count, and padding may be missing. */
const isDecodable = (text: string): boolean => {
  const packed = /\s/u.test(text) ? text.replaceAll(/[\t\n\f\r ]/gu, '') : text;
  const bare = packed.length % 4 === 0 ? packed.replace(/={1,2}$/u, '') : packed;
  return bare.length % 4 !== 1 && ALPHABET.test(bare);
};

/** Base64 that clients accept; also where the server wrote it in the alphabet for URLs. Undefined for anything else. */
const base64 = (value: unknown): string | undefined => {
  if (typeof value !== 'string') return undefined;
  if (isDecodable(value)) return value;
  const plain = value.replaceAll('-', '+').replaceAll('_', '/');
  return isDecodable(plain) ? plain : undefined;
};

type Holder = Readonly<Record<string, unknown>>;

const textBlock = (value: unknown): Holder => ({
  type: 'text',
  text: typeof value === 'string' ? value : JSON.stringify(value),
});

const COMMON = { annotations, _meta: record } as const;

const RESOURCE = { ...LISTED_MEMBERS, mimeType: text, size: finite, annotations } as const;

/** A resource as it is listed or linked to: what lacks a name is called by its address. */
export const namedResource = (item: Holder, address: unknown): Holder => {
  const named = typeof item['name'] === 'string' ? item : { ...item, name: item['title'] ?? address };
  const told = typeof named['name'] === 'string' ? named : { ...named, name: address };
  return withMembers(told, RESOURCE);
};

/** Media without usable data cannot be shown; the model reads that instead of the client refusing the whole result. */
const mediaBlock = (block: Holder): Holder => {
  const data = base64(block['data']);
  if (data === undefined) {
    const kind = typeof block['mimeType'] === 'string' ? block['mimeType'] : block['type'];
    return textBlock(`[The server sent ${String(kind)} whose data is not Base64.]`);
  }
  const typed = typeof block['mimeType'] === 'string' ? block : { ...block, mimeType: 'application/octet-stream' };
  return withMembers(data === typed['data'] ? typed : { ...typed, data }, COMMON);
};

const withBody = (item: Holder): Holder => {
  if (typeof item['text'] === 'string') return item;
  const blob = base64(item['blob']);
  if (blob === undefined) {
    return { ...item, text: item['text'] === undefined ? JSON.stringify(item) : JSON.stringify(item['text']) };
  }
  const { text: _unfit, ...rest } = item;
  return blob === item['blob'] && !Object.hasOwn(item, 'text') ? item : { ...rest, blob };
};

/** What a resource holds; `uri` is the one that was asked for. */
export const repairContents = (item: unknown, uri: string): Holder | undefined => {
  if (typeof item === 'string') return { uri, text: item };
  if (!isJsonObject(item)) return undefined;
  const addressed = typeof item['uri'] === 'string' ? item : { ...item, uri };
  return withMembers(withBody(addressed), { mimeType: text, _meta: record });
};

const embedded = (block: Holder): Holder => {
  const given = block['resource'];
  const resource = repairContents(given, '');
  if (resource === undefined) return textBlock(block);
  return withMembers(resource === given ? block : { ...block, resource }, COMMON);
};

/** A block of content that clients accept. Types that are not known here pass as they are. */
export const repairBlock = (block: unknown): Holder | undefined => {
  if (block === null || block === undefined) return undefined;
  if (!isJsonObject(block)) return textBlock(block);
  switch (block['type']) {
    case 'text':
      return typeof block['text'] === 'string'
        ? withMembers(block, COMMON)
        : textBlock(block['text'] === undefined || block['text'] === null ? '' : block['text']);
    case 'image':
    case 'audio':
      return mediaBlock(block);
    case 'resource':
      return embedded(block);
    case 'resource_link':
      return typeof block['uri'] === 'string' ? namedResource(block, block['uri']) : textBlock(block);
    default:
      if (typeof block['type'] === 'string') return block;
      return typeof block['text'] === 'string' ? withMembers({ ...block, type: 'text' }, COMMON) : textBlock(block);
  }
};

/** A list of blocks; one block, or a bare text, is a list of one. */
export const repairBlocks = (content: unknown): readonly unknown[] => {
  const list = Array.isArray(content) ? content : [content];
  return listOf(repairBlock)(list) as readonly unknown[];
};
