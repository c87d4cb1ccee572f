import { parseXml } from '../xml/parse-xml.js';
import { decodeText } from './decode-text.js';
import type { DocumentContent, DocumentReader } from '../tree/document-reader.js';

const listing = (lang: string, value: string, warnings: readonly string[] = []): DocumentContent => ({
  tree: { type: 'root', children: value.trim() === '' ? [] : [{ type: 'code', lang, value }] },
  images: [],
  warnings,
});

/** Data stays what it is, as a listing: no shape that we could give it would keep all of it. */
export const readJson: DocumentReader = (bytes) => {
  const text = decodeText(bytes).trim();
  try {
    JSON.parse(text);
    return listing('json', text);
  } catch {
    return listing('json', text, ['The text is not valid JSON.']);
  }
};

export const readXml: DocumentReader = (bytes, { limits }) => {
  const text = decodeText(bytes).trim();
  try {
    parseXml(bytes, limits.depth);
    return listing('xml', text);
  } catch {
    return listing('xml', text, ['The text is not well-formed XML, or is nested too deeply.']);
  }
};
