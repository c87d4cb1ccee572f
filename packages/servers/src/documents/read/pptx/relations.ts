import { posix } from 'node:path';
import type { Archive } from '../../archive/open-archive.js';
import { parseXml } from '../../xml/parse-xml.js';
import { elements, type XmlElement } from '../../xml/xml-element.js';

export interface Relation {
  readonly id: string;
  /** The last word of its type, for example `slide` or `hyperlink`. */
  readonly type: string;
  /** The name of a part, or an address outside. */
  readonly target: string;
  readonly external: boolean;
}

/** What a part of an Office file refers to. */
export const relationsOf = (archive: Archive, part: string, depth: number): readonly Relation[] => {
  const bytes = archive.get(posix.join(posix.dirname(part), '_rels', `${posix.basename(part)}.rels`));
  if (bytes === undefined) return [];
  return elements(parseXml(bytes, depth)).map(({ attributes }): Relation => {
    const external = attributes['TargetMode'] === 'External';
    const target = attributes['Target'] ?? '';
    return {
      id: attributes['Id'] ?? '',
      type: (attributes['Type'] ?? '').split('/').at(-1) ?? '',
      target: external ? target : posix.join('/', posix.dirname(part), target).slice(1),
      external,
    };
  });
};

/** The id of a relation that an element carries: the attribute has a prefix, the plain `id` is something else. */
export const relationId = (element: XmlElement | undefined, name: 'id' | 'embed'): string | undefined =>
  Object.entries(element?.attributes ?? {}).find(([key]) => key.endsWith(`:${name}`))?.[1];
