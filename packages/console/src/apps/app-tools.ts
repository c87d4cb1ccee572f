import { isJson, type Json } from '../api/json.js';

/** What a tool declares about apps, as far as a host must know it. */
export interface AppTool {
  readonly name: string;
  /** The page that shows results of the tool. */
  readonly resourceUri: string | undefined;
  /** May apps of the same server call it? */
  readonly callable: boolean;
  readonly readOnly: boolean;
}

const uriIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value.startsWith('ui://') ? value : undefined;

/** Reads an element of tools/list, of which anything may be missing or wrong. */
export const appToolOf = (value: unknown): AppTool | undefined => {
  if (!isJson(value) || typeof value['name'] !== 'string') return undefined;
  const meta = isJson(value['_meta']) ? value['_meta'] : {};
  const ui = isJson(meta['ui']) ? meta['ui'] : {};
  const { visibility } = ui;
  const annotations = isJson(value['annotations']) ? value['annotations'] : {};
  return {
    name: value['name'],
    resourceUri: uriIn(ui['resourceUri']) ?? uriIn(meta['ui/resourceUri']),
    callable: !Array.isArray(visibility) || visibility.includes('app'),
    readOnly: annotations['readOnlyHint'] === true,
  };
};

const MAX_HTML = 5_000_000;
const APP_TYPE = /^text\/html\s*;\s*profile="?mcp-app"?$/iu;

export type AppPage = { readonly html: string; readonly declined: readonly string[] } | { readonly problem: string };

const decoded = (blob: string): string | undefined => {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(blob), (character) => character.charCodeAt(0)));
  } catch {
    return undefined;
  }
};

/** Everything that a page asks for and does not get: other origins and devices. */
const declinedBy = (content: Json): readonly string[] => {
  const meta = isJson(content['_meta']) ? content['_meta'] : {};
  const ui = isJson(meta['ui']) ? meta['ui'] : {};
  const domains = Object.values(isJson(ui['csp']) ? ui['csp'] : {}).flatMap((value) =>
    Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [],
  );
  return [...new Set([...domains, ...Object.keys(isJson(ui['permissions']) ? ui['permissions'] : {})])];
};

/** The page of an app, as the server answers resources/read. */
export const appPageOf = (result: unknown): AppPage => {
  const contents = isJson(result) && Array.isArray(result['contents']) ? result['contents'] : [];
  const content = contents.find(isJson);
  if (content === undefined || !APP_TYPE.test(String(content['mimeType']))) {
    return { problem: 'The server offers an app, but its page is not of the type text/html;profile=mcp-app.' };
  }
  const { text, blob } = content;
  const html = typeof text === 'string' ? text : typeof blob === 'string' ? decoded(blob) : undefined;
  if (html === undefined) return { problem: 'The page of the app cannot be read.' };
  if (html.length > MAX_HTML) return { problem: 'The page of the app is larger than 5 MB.' };
  return { html, declined: declinedBy(content) };
};
