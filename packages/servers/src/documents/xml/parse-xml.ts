import sax from 'sax';
import { DocumentError } from '../document-error.js';
import { decodeXml } from './decode-xml.js';
import type { XmlElement } from './xml-element.js';

interface GrowingElement extends XmlElement {
  readonly children: (GrowingElement | string)[];
}

/** Parses XML into elements. Entities beyond the five of XML are not known and nothing outside is ever fetched. */
export const parseXml = (bytes: Uint8Array, maxDepth: number): XmlElement => {
  const root: GrowingElement = { name: '', attributes: {}, children: [] };
  const open: GrowingElement[] = [root];
  const parser = sax.parser(true, { trim: false, normalize: false });
  parser.onopentag = ({ name, attributes }) => {
    if (open.length > maxDepth) throw new DocumentError('TOO_DEEP', 'The document is nested too deeply.');
    const element: GrowingElement = { name, attributes: attributes as Record<string, string>, children: [] };
    open.at(-1)?.children.push(element);
    open.push(element);
  };
  parser.onclosetag = () => void open.pop();
  parser.ontext = (text) => void open.at(-1)?.children.push(text);
  parser.oncdata = (text) => void open.at(-1)?.children.push(text);
  parser.onerror = () => {
    throw new DocumentError('DAMAGED', 'A part of the document is not well-formed XML.');
  };
  parser.write(decodeXml(bytes)).close();
  const element = root.children.find((child) => typeof child !== 'string');
  if (element === undefined) throw new DocumentError('DAMAGED', 'A part of the document is empty.');
  return element;
};
