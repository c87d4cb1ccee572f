import { isJson, type Json, textIn } from '../api/json.js';

/** One part of a result, as a page can show it. */
export type ContentBlock =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'image' | 'audio'; readonly source: string; readonly type: string }
  | { readonly kind: 'link'; readonly uri: string; readonly name: string; readonly description: string }
  | { readonly kind: 'resource'; readonly uri: string; readonly text: string }
  | { readonly kind: 'other'; readonly value: unknown };

const MEDIA = { image: /^image\/[\w.+-]+$/u, audio: /^audio\/[\w.+-]+$/u } as const;
const BASE64 = /^[A-Za-z0-9+/=\s]*$/u;

const media = (kind: 'image' | 'audio', block: Json): ContentBlock => {
  const type = textIn(block['mimeType']);
  const data = textIn(block['data']);
  if (!MEDIA[kind].test(type) || data === '' || !BASE64.test(data)) return { kind: 'other', value: block };
  return { kind, type, source: `data:${type};base64,${data.replaceAll(/\s+/gu, '')}` };
};

/** What is at an address: text, or a picture or sound that a page can show. */
const contentOf = (value: Json): ContentBlock | undefined => {
  if (typeof value['text'] === 'string') return { kind: 'resource', uri: textIn(value['uri']), text: value['text'] };
  for (const kind of ['image', 'audio'] as const) {
    if (!MEDIA[kind].test(textIn(value['mimeType']))) continue;
    const block = media(kind, { mimeType: value['mimeType'], data: value['blob'] });
    if (block.kind === kind) return block;
  }
  return undefined;
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
    case 'resource':
      return contentOf(isJson(value['resource']) ? value['resource'] : {}) ?? { kind: 'other', value };
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

/** The contents of a resource, as the server answers resources/read. */
export const contentsIn = (result: unknown): readonly ContentBlock[] => {
  const contents = isJson(result) ? result['contents'] : undefined;
  if (!Array.isArray(contents)) return [{ kind: 'other', value: result }];
  return contents.map((value: unknown) => (isJson(value) ? contentOf(value) : undefined) ?? { kind: 'other', value });
};

export interface PromptMessage {
  readonly role: string;
  readonly block: ContentBlock;
}

/** The messages of a prompt, as the server answers prompts/get. */
export const promptMessages = (result: unknown): readonly PromptMessage[] => {
  const messages = isJson(result) ? result['messages'] : undefined;
  if (!Array.isArray(messages)) return [{ role: 'unknown', block: { kind: 'other', value: result } }];
  return messages.map((value: unknown) =>
    isJson(value)
      ? { role: textIn(value['role']) || 'unknown', block: blockOf(value['content']) }
      : { role: 'unknown', block: { kind: 'other', value } },
  );
};
