import { DocumentError } from '../../document-error.js';
import { attribute, child, childrenOf, elements, localName, type XmlElement } from '../../xml/xml-element.js';
import { counted } from '../../tree/counted.js';
import type { DocumentReader } from '../../tree/document-reader.js';
import { styledPhrasing } from '../../tree/styled-runs.js';
import { heading, isBlank, paragraph, text, type Block } from '../../tree/tree.js';
import { blocksOf, tableBlock } from './odf-blocks.js';
import { frameRuns } from './odf-frame.js';
import { phrasingOf } from './odf-inline.js';
import { lossesOf, type OdfReading } from './odf-reading.js';
import { bodyOf, openOdf } from './open-odf.js';
import { startReading } from './start-reading.js';

const DECORATIONS = new Set(['date-time', 'footer', 'header', 'page-number', 'page']);

const roleOf = (shape: XmlElement): string => attribute(shape, 'class') ?? '';

const length = (value: string | undefined): number => Number.parseFloat(value ?? '') || 0;

const inReadingOrder = (shapes: readonly XmlElement[]): readonly XmlElement[] =>
  shapes.toSorted(
    (a, b) =>
      length(attribute(a, 'y')) - length(attribute(b, 'y')) || length(attribute(a, 'x')) - length(attribute(b, 'x')),
  );

const shapeBlocks = (shape: XmlElement, reading: OdfReading): readonly Block[] => {
  switch (localName(shape)) {
    case 'frame': {
      const found = child(shape, 'table');
      if (found !== undefined) return [tableBlock(found, reading)];
      const box = child(shape, 'text-box');
      if (box !== undefined) return blocksOf(box, reading);
      const runs = styledPhrasing(frameRuns(shape, reading));
      return isBlank(runs) ? [] : [paragraph(...runs)];
    }
    case 'g':
      return inReadingOrder(elements(shape)).flatMap((inner) => shapeBlocks(inner, reading));
    case 'notes':
      return [];
    default:
      return blocksOf(shape, reading);
  }
};

const notesOf = (page: XmlElement, reading: OdfReading): readonly Block[] => {
  const blocks = childrenOf(child(page, 'notes'), 'frame')
    .filter((frame) => roleOf(frame) === 'notes')
    .flatMap((frame) => shapeBlocks(frame, reading))
    .filter((block) => block.type === 'paragraph' || block.type === 'list');
  return blocks.length === 0 ? [] : [{ type: 'blockquote', children: blocks }];
};

const titleOf = (shape: XmlElement | undefined, number: number, reading: OdfReading): Block => {
  const words = elements(child(shape, 'text-box')).flatMap((line, index) => [
    ...(index === 0 ? [] : [text(' ')]),
    ...phrasingOf(line, reading),
  ]);
  return heading(2, ...(isBlank(words) ? [text(`Slide ${number}`)] : words));
};

const slideBlocks = (page: XmlElement, number: number, reading: OdfReading): readonly Block[] => {
  const shapes = elements(page).filter((shape) => !DECORATIONS.has(roleOf(shape)));
  const title = shapes.find((shape) => roleOf(shape) === 'title');
  const content = inReadingOrder(shapes.filter((shape) => shape !== title)).flatMap((shape) =>
    shapeBlocks(shape, reading),
  );
  return [titleOf(title, number, reading), ...content, ...notesOf(page, reading)];
};

/** Each slide is a heading and what stands under it; speaker notes follow as a quotation. */
export const readOdp: DocumentReader = (bytes, options) => {
  const file = openOdf(bytes, options);
  const reading = startReading(file, options);
  const pages = childrenOf(bodyOf(file, 'presentation'), 'page');
  if (pages.length > options.limits.pages) {
    throw new DocumentError('TOO_LARGE', `The presentation has more than ${options.limits.pages} slides.`);
  }
  const shown = pages.filter((page) => !reading.styles.isHidden(attribute(page, 'style-name')));
  const children = shown.flatMap((page, index) => {
    const blocks = slideBlocks(page, index + 1, reading);
    options.progress(index + 1, shown.length);
    return blocks;
  });
  const hidden = pages.length - shown.length;
  return {
    tree: { type: 'root', children },
    title: file.title,
    pages: pages.length,
    images: reading.collector.images,
    warnings: [
      ...(hidden === 0 ? [] : [`${counted(hidden, 'hidden slide', 'hidden slides')} left out.`]),
      ...lossesOf(reading),
    ],
  };
};
