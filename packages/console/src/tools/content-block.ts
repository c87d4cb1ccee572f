/** One part of a result, as a page can show it. */
export type ContentBlock =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'image' | 'audio'; readonly source: string; readonly type: string }
  | { readonly kind: 'link'; readonly uri: string; readonly name: string; readonly description: string }
  | { readonly kind: 'resource'; readonly uri: string; readonly text: string }
  | { readonly kind: 'other'; readonly value: unknown };

type Json = Readonly<Record<string, unknown>>;

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null;
const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

const MEDIA = { image: /^image\/[\w.+-]+$/u, audio: /^audio\/[\w.+-]+$/u } as const;
const BASE64 = /^[A-Za-z0-9+/=\s]*$/u;

const media = (kind: 'image' | 'audio', block: Json): ContentBlock => {
  const type = textIn(block['mimeType']);
  const data = textIn(block['data']);
  if (!MEDIA[kind].test(type) || !BASE64.test(data)) return { kind: 'other', value: block };
  return { kind, type, source: `data:${type};base64,${data.replaceAll(/\s+/gu, '')}` };
};

const blockOf = (value: unknown): ContentBlock => {
  if (!isJson(value)) return { kind: 'other', value };
  switch (value['type']) {
    case 'text':
      return { kind: 'text', text: textIn(value['text']) };
    case 'image':
      return media('image', value);
    case 'audio':
      return media('audio', value);
    case 'resource_link':
      return {
        kind: 'link',
        uri: textIn(value['uri']),
        name: textIn(value['title']) || textIn(value['name']),
        description: textIn(value['description']),
      };
    case 'resource': {
      const resource = isJson(value['resource']) ? value['resource'] : {};
      return typeof resource['text'] === 'string'
        ? { kind: 'resource', uri: textIn(resource['uri']), text: resource['text'] }
        : { kind: 'other', value };
    }
    default:
      return { kind: 'other', value };
  }
};

export interface ShownResult {
  readonly isError: boolean;
  readonly blocks: readonly ContentBlock[];
  readonly structured: unknown;
}

/** Reads the result of a tool, of which anything may be missing or wrong. */
export const shownResult = (result: unknown): ShownResult => {
  const object = isJson(result) ? result : {};
  return {
    isError: object['isError'] === true,
    blocks: (Array.isArray(object['content']) ? object['content'] : []).map(blockOf),
    structured: object['structuredContent'],
  };
};
