import type { Blockquote, Code, List, ListItem, PhrasingContent } from 'mdast';
import { attribute, child, childrenOf, elements, localName, type XmlElement } from '../../xml/xml-element.js';
import { displayMath } from '../../tree/extra-nodes.js';
import { heading, isBlank, paragraph, table, text, type Block } from '../../tree/tree.js';
import { headingPhrasing, phrasingOf, runsOf } from './odf-inline.js';
import type { OdfReading } from './odf-reading.js';

const CODE = new Set(['Preformatted_20_Text', 'Source_20_Code']);
const QUOTE = new Set(['Quotations', 'Quote', 'Intense_20_Quote']);
const TITLE = new Set(['Title']);

const styleName = (element: XmlElement): string | undefined => attribute(element, 'style-name');

/** Text in boxes that hang on a paragraph follows it. */
const boxesIn = (element: XmlElement, reading: OdfReading): readonly Block[] =>
  elements(element).flatMap((part) => {
    if (localName(part) === 'frame') return blocksOf(child(part, 'text-box'), reading);
    return localName(part) === 'note' ? [] : boxesIn(part, reading);
  });

const codeLine = (element: XmlElement, reading: OdfReading): string =>
  runsOf(element, {}, reading)
    .map((run) => ('text' in run ? run.text : run.node.type === 'break' ? '\n' : ''))
    .join('');

const paragraphBlock = (element: XmlElement, reading: OdfReading): readonly Block[] => {
  const { styles } = reading;
  const name = styleName(element);
  if (styles.isOneOf(name, CODE)) return [{ type: 'code', value: codeLine(element, reading) }];
  const children = phrasingOf(element, reading);
  if (isBlank(children)) return boxesIn(element, reading);
  const [only, ...others] = children.filter((node) => node.type !== 'text' || node.value.trim() !== '');
  if (only?.type === 'inlineMath' && others.length === 0) return [displayMath(only.value)];
  if (styles.isOneOf(name, TITLE)) return [heading(1, ...children)];
  const block = paragraph(...children);
  return [
    styles.isOneOf(name, QUOTE) ? { type: 'blockquote', children: [block] } : block,
    ...boxesIn(element, reading),
  ];
};

interface ListPlace {
  readonly style: string | undefined;
  readonly level: number;
}

const isItem = (element: XmlElement): boolean => ['list-item', 'list-header'].includes(localName(element));

const listBlock = (element: XmlElement, reading: OdfReading, outer?: ListPlace): List => {
  const place: ListPlace = { style: styleName(element) ?? outer?.style, level: (outer?.level ?? 0) + 1 };
  const { ordered, start } = reading.styles.listLevel(place.style, place.level);
  const items = elements(element).filter(isItem);
  const key = `${place.style} ${place.level}`;
  const goesOn =
    attribute(element, 'continue-numbering') === 'true' || attribute(element, 'continue-list') !== undefined;
  const named = Number(attribute(items[0], 'start-value') ?? Number.NaN);
  const first = Number.isNaN(named) ? (goesOn ? (reading.reached.get(key) ?? start - 1) + 1 : start) : named;
  reading.reached.set(key, first + items.length - 1);
  return {
    type: 'list',
    ordered,
    ...(ordered ? { start: first } : {}),
    spread: false,
    children: items.map((item): ListItem => ({
      type: 'listItem',
      spread: false,
      children: blocksOf(item, reading, place) as ListItem['children'],
    })),
  };
};

const repeated = (element: XmlElement, what: 'columns' | 'rows'): number =>
  Math.min(Number(attribute(element, `number-${what}-repeated`) ?? 1) || 1, 1000);

const cellContent = (cell: XmlElement, reading: OdfReading): readonly PhrasingContent[] =>
  elements(cell)
    .flatMap((part) => (localName(part) === 'list' ? childrenOf(part, 'list-item').flatMap(elements) : [part]))
    .filter((part) => ['p', 'h'].includes(localName(part)))
    .map((part) => phrasingOf(part, reading))
    .filter((children) => !isBlank(children))
    .flatMap((children, index) => (index === 0 ? children : [text(' '), ...children]))
    .map((node) => (node.type === 'break' ? text(' ') : node));

const rowsIn = (element: XmlElement): readonly XmlElement[] =>
  elements(element).flatMap((part) => {
    if (localName(part) === 'table-row') return [part];
    return ['table-header-rows', 'table-rows', 'table-row-group'].includes(localName(part)) ? rowsIn(part) : [];
  });

export const tableBlock = (element: XmlElement, reading: OdfReading): Block =>
  table(
    rowsIn(element).map((row) =>
      elements(row)
        .filter((cell) => ['table-cell', 'covered-table-cell'].includes(localName(cell)))
        .flatMap((cell) => Array.from({ length: repeated(cell, 'columns') }, () => cellContent(cell, reading))),
    ),
  );

const blockOf = (element: XmlElement, reading: OdfReading, place?: ListPlace): readonly Block[] => {
  switch (localName(element)) {
    case 'h': {
      const children = headingPhrasing(element, reading);
      return isBlank(children) ? [] : [heading(Number(attribute(element, 'outline-level') ?? 1), ...children)];
    }
    case 'p':
      return paragraphBlock(element, reading);
    case 'list':
      return [listBlock(element, reading, place)];
    case 'table':
      return [tableBlock(element, reading)];
    case 'frame':
      return blocksOf(child(element, 'text-box'), reading);
    case 'tracked-changes':
      reading.lost.deletions += elements(element).filter((region) => child(region, 'deletion') !== undefined).length;
      return [];
    case 'section':
    case 'index-body':
    case 'index-title':
    case 'table-of-content':
    case 'illustration-index':
    case 'bibliography':
      return blocksOf(element, reading);
    default:
      return [];
  }
};

/** Presentations write each item as a list of its own; an item without words only says how deep its list stands. */
const joinLists = (first: List, next: List): List => {
  const children = [...first.children];
  for (const item of next.children) {
    const last = children.at(-1);
    const [only, ...others] = item.children;
    if (last === undefined || only?.type !== 'list' || others.length > 0) {
      children.push(item);
    } else {
      const inner = last.children.at(-1);
      const joinedInner =
        inner?.type === 'list' ? [...last.children.slice(0, -1), joinLists(inner, only)] : [...last.children, only];
      children[children.length - 1] = { ...last, children: joinedInner };
    }
  }
  return { ...first, children };
};

/** Whether a list goes on with the next one: it has no words of its own, or it is of the same kind and counts on. */
const goesOn = (last: List, next: List): boolean =>
  next.children[0]?.children[0]?.type === 'list' ||
  (last.ordered === next.ordered &&
    (next.ordered !== true || next.start === (last.start ?? 1) + last.children.length)) ||
  (last.ordered === next.ordered && next.children.length === 1);

/** Lines of code that follow each other are one listing, and so are quotations, and items of one list. */
const joined = (blocks: readonly Block[]): readonly Block[] => {
  const result: Block[] = [];
  for (const block of blocks) {
    const last = result.at(-1);
    if (last?.type === 'code' && block.type === 'code') {
      result[result.length - 1] = { ...last, value: `${last.value}\n${block.value}` } satisfies Code;
    } else if (last?.type === 'list' && block.type === 'list' && goesOn(last, block)) {
      result[result.length - 1] = joinLists(last, block);
    } else if (last?.type === 'blockquote' && block.type === 'blockquote') {
      result[result.length - 1] = { ...last, children: [...last.children, ...block.children] } satisfies Blockquote;
    } else {
      result.push(block);
    }
  }
  return result.filter((block) => block.type !== 'code' || block.value.trim() !== '');
};

export const blocksOf = (parent: XmlElement | undefined, reading: OdfReading, place?: ListPlace): readonly Block[] =>
  joined(elements(parent).flatMap((element) => blockOf(element, reading, place)));
