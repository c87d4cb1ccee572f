import type { PhrasingContent } from 'mdast';
import {
  attribute,
  child,
  childrenOf,
  descend,
  elements,
  localName,
  textOf,
  type XmlElement,
} from '../../xml/xml-element.js';
import { nestedList, type FlatItem } from '../../tree/nested-list.js';
import { safeLink } from '../../tree/settle-references.js';
import { isBlank, link, paragraph, text, type Block } from '../../tree/tree.js';
import { relationId, type Relation } from './relations.js';

const isOn = (value: string | undefined): boolean => value === '1' || value === 'true';

const run = (element: XmlElement, relations: readonly Relation[]): PhrasingContent => {
  const properties = child(element, 'rPr');
  let content: PhrasingContent = text(textOf(child(element, 't')));
  if (isOn(attribute(properties, 'i'))) content = { type: 'emphasis', children: [content] };
  if (isOn(attribute(properties, 'b'))) content = { type: 'strong', children: [content] };
  const id = relationId(child(properties, 'hlinkClick'), 'id');
  const target = relations.find((relation) => relation.id === id && relation.external)?.target;
  const url = target === undefined ? undefined : safeLink(target);
  return url === undefined ? content : link(url, [content]);
};

/** The words of one paragraph. */
export const phrasing = (element: XmlElement, relations: readonly Relation[]): readonly PhrasingContent[] =>
  elements(element).flatMap((part): PhrasingContent[] => {
    switch (localName(part)) {
      case 'r':
        return textOf(child(part, 't')) === '' ? [] : [run(part, relations)];
      case 'br':
        return [{ type: 'break' }];
      case 'fld':
        return [text(textOf(child(part, 't')))];
      default:
        return [];
    }
  });

const isItem = (element: XmlElement, bulleted: boolean): boolean => {
  const properties = child(element, 'pPr');
  if (child(properties, 'buNone') !== undefined) return false;
  return bulleted || child(properties, 'buChar') !== undefined || child(properties, 'buAutoNum') !== undefined;
};

const flatItem = (element: XmlElement, children: readonly PhrasingContent[]): FlatItem => ({
  level: Number(attribute(child(element, 'pPr'), 'lvl') ?? 0) || 0,
  ordered: descend(element, 'pPr', 'buAutoNum') !== undefined,
  children,
});

/** Paragraphs and lists of a text body; `bulleted` when its placeholder gives bullets to paragraphs that do not disable them. */
export const textBlocks = (
  body: XmlElement | undefined,
  relations: readonly Relation[],
  bulleted: boolean,
): Block[] => {
  const blocks: Block[] = [];
  let items: FlatItem[] = [];
  const flush = (): void => {
    if (items.length > 0) blocks.push(nestedList(items));
    items = [];
  };
  for (const element of childrenOf(body, 'p')) {
    const children = phrasing(element, relations);
    if (isBlank(children)) continue;
    if (isItem(element, bulleted)) {
      items.push(flatItem(element, children));
    } else {
      flush();
      blocks.push(paragraph(...children));
    }
  }
  flush();
  return blocks;
};

/** A text body on one line, for cells and headings. */
export const inlineBody = (body: XmlElement | undefined, relations: readonly Relation[]): readonly PhrasingContent[] =>
  childrenOf(body, 'p')
    .map((element) => phrasing(element, relations))
    .filter((children) => !isBlank(children))
    .flatMap((children, index) => (index === 0 ? children : [text(' '), ...children]))
    .map((node) => (node.type === 'break' ? text(' ') : node));
