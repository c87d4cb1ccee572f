import type { BlockContent, FootnoteDefinition } from 'mdast';
import { counted } from '../../tree/counted.js';
import { ImageCollector } from '../../tree/image-collector.js';
import { numberFootnotes } from '../../tree/number-footnotes.js';
import type { DocumentReader } from '../../tree/document-reader.js';
import { rtfBlocks } from './rtf-blocks.js';
import { RtfReader } from './rtf-reader.js';

export const readRtf: DocumentReader = (bytes, options) => {
  const collector = new ImageCollector(options);
  const { elements, notes, title, deleted, objects } = new RtfReader(collector).read(
    Buffer.from(bytes).toString('latin1'),
  );
  const definitions = notes.map(({ identifier, elements: inside }): FootnoteDefinition => ({
    type: 'footnoteDefinition',
    identifier,
    children: rtfBlocks(inside) as BlockContent[],
  }));
  return {
    tree: numberFootnotes({ type: 'root', children: [...rtfBlocks(elements), ...definitions] }),
    title,
    images: collector.images,
    warnings: [
      ...(deleted === 0 ? [] : [`${counted(deleted, 'deleted passage', 'deleted passages')} left out.`]),
      ...(objects === 0 ? [] : [`${counted(objects, 'embedded object', 'embedded objects')} left out.`]),
      ...collector.warnings,
    ],
  };
};
