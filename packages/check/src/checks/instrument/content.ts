import { at, isObject, show, type JsonObject } from '../../connection/json.js';

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/u;

export const isBase64 = (value: unknown): boolean => typeof value === 'string' && BASE64.test(value);

const isText = (value: unknown): boolean => typeof value === 'string';

/** What is wrong with the contents of a resource. */
export const contentsFlaw = (contents: unknown): string | undefined => {
  if (!isObject(contents)) return `it is ${show(contents)}, not an object`;
  if (!isText(contents['uri'])) return 'it has no uri';
  const [text, blob] = ['text' in contents, 'blob' in contents];
  if (text === blob) return text ? 'it has both text and blob' : 'it has neither text nor blob';
  if (text && !isText(contents['text'])) return 'text is not a string';
  if (blob && !isBase64(contents['blob'])) return 'blob is not base64';
  return undefined;
};

const mediaFlaw = (block: JsonObject): string | undefined => {
  if (!isBase64(block['data'])) return 'data is not base64';
  return isText(block['mimeType']) && String(block['mimeType']).includes('/') ? undefined : 'it has no MIME type';
};

/** What is wrong with a content block of a tool or a prompt. */
export const blockFlaw = (block: unknown): string | undefined => {
  if (!isObject(block)) return `it is ${show(block)}, not an object`;
  switch (block['type']) {
    case 'text':
      return isText(block['text']) ? undefined : 'text is not a string';
    case 'image':
    case 'audio':
      return mediaFlaw(block);
    case 'resource_link':
      return isText(block['uri']) && isText(block['name']) ? undefined : 'it has no uri or no name';
    case 'resource':
      return contentsFlaw(at(block, 'resource'));
    default:
      return `its type is ${show(block['type'])}`;
  }
};
