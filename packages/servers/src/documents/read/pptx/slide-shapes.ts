import { attribute, child, childrenOf, descend, elements, localName, type XmlElement } from '../../xml/xml-element.js';
import type { ImageCollector } from '../../tree/image-collector.js';
import { paragraph, table, type Block } from '../../tree/tree.js';
import { relationId, type Relation } from './relations.js';
import { inlineBody, textBlocks } from './text-body.js';

export interface Shape {
  readonly role: 'title' | 'content' | 'decoration';
  /** Where it stands on the slide; unknown when the layout places it. */
  readonly top: number | undefined;
  readonly left: number;
  readonly blocks: readonly Block[];
}

export interface SlideParts {
  readonly relations: readonly Relation[];
  /** The address under which a picture is handed out, if it is. */
  readonly picture: (part: string) => ReturnType<ImageCollector['add']>;
}

const DECORATIONS = new Set(['dt', 'ftr', 'sldNum', 'hdr', 'sldImg']);

const placeholder = (shape: XmlElement): XmlElement | undefined =>
  descend(
    elements(shape).find((part) => localName(part).startsWith('nv')),
    'nvPr',
    'ph',
  );

const roleOf = (ph: XmlElement | undefined): Shape['role'] => {
  const type = attribute(ph, 'type') ?? '';
  if (type === 'title' || type === 'ctrTitle') return 'title';
  return DECORATIONS.has(type) ? 'decoration' : 'content';
};

const position = (shape: XmlElement): Pick<Shape, 'top' | 'left'> => {
  const offset = child(child(child(shape, 'spPr') ?? child(shape, 'grpSpPr') ?? shape, 'xfrm'), 'off');
  const top = Number(attribute(offset, 'y') ?? Number.NaN);
  return { top: Number.isNaN(top) ? undefined : top, left: Number(attribute(offset, 'x') ?? 0) || 0 };
};

const tableBlock = (element: XmlElement, { relations }: SlideParts): Block =>
  table(
    childrenOf(element, 'tr').map((row) =>
      childrenOf(row, 'tc').map((cell) =>
        // Cells that a merged neighbour covers stay empty, so that columns stay columns.
        attribute(cell, 'hMerge') === '1' || attribute(cell, 'vMerge') === '1'
          ? []
          : inlineBody(child(cell, 'txBody'), relations),
      ),
    ),
  );

const pictureBlock = (shape: XmlElement, { relations, picture }: SlideParts): Block[] => {
  const alt = attribute(descend(shape, 'nvPicPr', 'cNvPr'), 'descr') ?? '';
  const id = relationId(descend(shape, 'blipFill', 'blip'), 'embed');
  const part = relations.find((relation) => relation.id === id)?.target;
  const url = part === undefined ? undefined : picture(part);
  if (url !== undefined) return [paragraph({ type: 'image', url, alt })];
  return alt.trim() === '' ? [] : [paragraph({ type: 'text', value: `[Image: ${alt.trim()}]` })];
};

const blocksOf = (shape: XmlElement, ph: XmlElement | undefined, parts: SlideParts): readonly Block[] => {
  switch (localName(shape)) {
    case 'sp': {
      const body = child(shape, 'txBody');
      if (roleOf(ph) === 'title') return [paragraph(...inlineBody(body, parts.relations))];
      const type = attribute(ph, 'type') ?? 'body';
      return textBlocks(body, parts.relations, ph !== undefined && (type === 'body' || type === 'obj'));
    }
    case 'graphicFrame': {
      const found = descend(shape, 'graphic', 'graphicData', 'tbl');
      return found === undefined ? [] : [tableBlock(found, parts)];
    }
    case 'pic':
      return pictureBlock(shape, parts);
    case 'grpSp':
      return inReadingOrder(shapesOf(shape, parts)).flatMap(({ blocks }) => blocks);
    case 'AlternateContent':
      return shapesOf(child(shape, 'Choice') ?? shape, parts).flatMap(({ blocks }) => blocks);
    default:
      return [];
  }
};

export const shapesOf = (tree: XmlElement | undefined, parts: SlideParts): readonly Shape[] =>
  elements(tree)
    .map((shape): Shape => {
      const ph = placeholder(shape);
      return { role: roleOf(ph), ...position(shape), blocks: blocksOf(shape, ph, parts) };
    })
    .filter(({ blocks, role }) => blocks.length > 0 && role !== 'decoration');

/** From top to bottom, then from left to right; what has no place of its own keeps its turn. */
export const inReadingOrder = (shapes: readonly Shape[]): readonly Shape[] =>
  shapes.some(({ top }) => top === undefined)
    ? shapes
    : shapes.toSorted((a, b) => (a.top ?? 0) - (b.top ?? 0) || a.left - b.left);
