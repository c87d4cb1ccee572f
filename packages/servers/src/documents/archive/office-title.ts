import type { Archive } from './open-archive.js';
import { parseXml } from '../xml/parse-xml.js';
import { child, textOf } from '../xml/xml-element.js';

/** The title in the properties of an Office file. */
export const officeTitle = (archive: Archive, depth: number): string | undefined => {
  const core = archive.get('docProps/core.xml');
  if (core === undefined) return undefined;
  return textOf(child(parseXml(core, depth), 'title')).trim() || undefined;
};
