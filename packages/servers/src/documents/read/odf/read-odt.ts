import { numberFootnotes } from '../../tree/number-footnotes.js';
import type { DocumentReader } from '../../tree/document-reader.js';
import { blocksOf } from './odf-blocks.js';
import { lossesOf } from './odf-reading.js';
import { bodyOf, openOdf } from './open-odf.js';
import { startReading } from './start-reading.js';

/** Text by LibreOffice and others: headings, lists, tables, notes and formulas by what the file says they are. */
export const readOdt: DocumentReader = (bytes, options) => {
  const file = openOdf(bytes, options);
  const reading = startReading(file, options);
  const children = [...blocksOf(bodyOf(file, 'text'), reading)];
  return {
    tree: numberFootnotes({ type: 'root', children: [...children, ...reading.notes] }),
    title: file.title,
    images: reading.collector.images,
    warnings: lossesOf(reading),
  };
};
