import type { PhrasingContent } from 'mdast';
import type { Archive } from '../../archive/open-archive.js';
import { openOfficeArchive } from '../../archive/office-archive.js';
import { DocumentError } from '../../document-error.js';
import { parseXml } from '../../xml/parse-xml.js';
import { attribute, child, childrenOf, descend } from '../../xml/xml-element.js';
import { counted } from '../../tree/counted.js';
import { ImageCollector, imageType } from '../../tree/image-collector.js';
import type { DocumentReader } from '../../tree/document-reader.js';
import { officeTitle } from '../../archive/office-title.js';
import { heading, text, type Block } from '../../tree/tree.js';
import { relationId, relationsOf } from './relations.js';
import { inReadingOrder, shapesOf } from './slide-shapes.js';

const PRESENTATION = 'ppt/presentation.xml';

interface Deck {
  readonly archive: Archive;
  readonly depth: number;
  readonly collector: ImageCollector;
}

/** Slides in the order of the show; hidden ones are told apart by their reader. */
const slideParts = ({ archive, depth }: Deck): readonly string[] => {
  const bytes = archive.get(PRESENTATION);
  if (bytes === undefined) throw new DocumentError('DAMAGED', 'The presentation lacks its main part.');
  const targets = new Map(relationsOf(archive, PRESENTATION, depth).map(({ id, target }) => [id, target]));
  return childrenOf(child(parseXml(bytes, depth), 'sldIdLst'), 'sldId')
    .map((slide) => targets.get(relationId(slide, 'id') ?? ''))
    .filter((part) => part !== undefined);
};

const notesOf = (part: string, { archive, depth, collector }: Deck): readonly Block[] => {
  const bytes = archive.get(part);
  if (bytes === undefined) return [];
  const relations = relationsOf(archive, part, depth);
  const tree = descend(parseXml(bytes, depth), 'cSld', 'spTree');
  const shapes = shapesOf(tree, { relations, picture: (name) => collector.add(name, undefined, () => undefined) });
  const blocks = shapes
    .flatMap((shape) => shape.blocks)
    .filter((block) => block.type === 'paragraph' || block.type === 'list');
  return blocks.length === 0 ? [] : [{ type: 'blockquote', children: blocks }];
};

const titleOf = (blocks: readonly Block[] | undefined, number: number): readonly PhrasingContent[] => {
  const [first] = blocks ?? [];
  return first?.type === 'paragraph' && first.children.length > 0 ? first.children : [text(`Slide ${number}`)];
};

const readSlide = (part: string, number: number, deck: Deck): readonly Block[] => {
  const { archive, depth, collector } = deck;
  const bytes = archive.get(part);
  if (bytes === undefined) throw new DocumentError('DAMAGED', 'The presentation lacks a slide that it names.');
  const slide = parseXml(bytes, depth);
  if (attribute(slide, 'show') === '0') return [];
  const relations = relationsOf(archive, part, depth);
  const picture = (name: string): string | undefined => collector.add(name, imageType(name), () => archive.get(name));
  const shapes = shapesOf(descend(slide, 'cSld', 'spTree'), { relations, picture });
  const title = shapes.find(({ role }) => role === 'title');
  const content = inReadingOrder(shapes.filter((shape) => shape !== title)).flatMap(({ blocks }) => blocks);
  const notes = relations.filter(({ type }) => type === 'notesSlide').flatMap(({ target }) => notesOf(target, deck));
  return [heading(2, ...titleOf(title?.blocks, number)), ...content, ...notes];
};

/** Each slide is a heading and what stands under it; speaker notes follow as a quotation. */
export const readPptx: DocumentReader = (bytes, options) => {
  const { limits, progress } = options;
  const archive = openOfficeArchive(bytes, options);
  const deck: Deck = { archive, depth: limits.depth, collector: new ImageCollector(options) };
  const parts = slideParts(deck);
  if (parts.length > limits.pages) {
    throw new DocumentError('TOO_LARGE', `The presentation has more than ${limits.pages} slides.`);
  }
  const slides = parts.map((part, index) => {
    const blocks = readSlide(part, index + 1, deck);
    progress(index + 1, parts.length);
    return blocks;
  });
  const hidden = slides.filter((blocks) => blocks.length === 0).length;
  const warnings = hidden === 0 ? [] : [`${counted(hidden, 'hidden slide', 'hidden slides')} left out.`];
  return {
    tree: { type: 'root', children: slides.flat() },
    title: officeTitle(archive, limits.depth),
    pages: parts.length,
    images: deck.collector.images,
    warnings: [...warnings, ...deck.collector.warnings],
  };
};
