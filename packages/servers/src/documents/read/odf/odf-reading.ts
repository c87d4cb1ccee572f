import type { FootnoteDefinition } from 'mdast';
import type { XmlElement } from '../../xml/xml-element.js';
import type { Archive } from '../../archive/open-archive.js';
import { counted } from '../../tree/counted.js';
import type { ImageCollector } from '../../tree/image-collector.js';
import type { Block } from '../../tree/tree.js';
import type { OdfStyles } from './odf-styles.js';

/** What is gathered while one OpenDocument file is read. */
export interface OdfReading {
  readonly archive: Archive;
  readonly styles: OdfStyles;
  readonly collector: ImageCollector;
  readonly depth: number;
  readonly notes: FootnoteDefinition[];
  /** Reads the blocks inside of an element: notes stand in lines and hold blocks. */
  readonly blocks: (parent: XmlElement | undefined, reading: OdfReading) => readonly Block[];
  /** The number that a list of this style reached, for lists that go on. */
  readonly reached: Map<string, number>;
  readonly lost: { comments: number; objects: number; deletions: number };
}

export const lossesOf = ({ lost, collector }: OdfReading): readonly string[] => [
  ...(lost.comments === 0 ? [] : [`${counted(lost.comments, 'comment', 'comments')} left out.`]),
  ...(lost.deletions === 0 ? [] : [`${counted(lost.deletions, 'deleted passage', 'deleted passages')} left out.`]),
  ...(lost.objects === 0 ? [] : [`${counted(lost.objects, 'embedded object', 'embedded objects')} left out.`]),
  ...collector.warnings,
];
