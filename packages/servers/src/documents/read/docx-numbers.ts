import type { List, Nodes, Parents, Root } from 'mdast';
import type { Archive } from '../archive/open-archive.js';
import { decodeXml } from '../xml/decode-xml.js';
import { parseXml } from '../xml/parse-xml.js';
import { attribute, child, childrenOf, descend, type XmlElement } from '../xml/xml-element.js';

const MAIN = 'word/document.xml';
const NUMBERING = 'word/numbering.xml';
const PROPERTIES = /<w:pPr(?:\s[^>]*)?>[\s\S]*?<\/w:pPr>/gu;
const UNNUMBERED: ReadonlySet<string | undefined> = new Set(['bullet', 'none']);

// Letters of the private use area, which no font gives a meaning, around the number of a list item.
const MARK = /\uE0F2(\d+)\uE0F3/gu;

const numberOf = (element: XmlElement | undefined): number | undefined => {
  const value = Number.parseInt(attribute(element, 'val') ?? '', 10);
  return Number.isSafeInteger(value) && value >= 0 ? value : undefined;
};

/** The levels of each list that are numbered, with the number at which they begin. */
type Starts = ReadonlyMap<string, ReadonlyMap<string, number>>;

const startsIn = (bytes: Uint8Array | undefined, depth: number): Starts => {
  if (bytes === undefined) return new Map();
  const root = parseXml(bytes, depth);
  const kinds = new Map(childrenOf(root, 'abstractNum').map((kind) => [attribute(kind, 'abstractNumId'), kind]));
  const levelsOf = (list: XmlElement): ReadonlyMap<string, number> => {
    const kind = kinds.get(attribute(child(list, 'abstractNumId'), 'val'));
    const overrides = new Map(childrenOf(list, 'lvlOverride').map((each) => [attribute(each, 'ilvl'), each]));
    return new Map(
      childrenOf(kind, 'lvl').flatMap((given): [string, number][] => {
        const ilvl = attribute(given, 'ilvl') ?? '0';
        const override = overrides.get(ilvl);
        const level = child(override, 'lvl') ?? given;
        if (UNNUMBERED.has(attribute(child(level, 'numFmt'), 'val'))) return [];
        return [[ilvl, numberOf(child(override, 'startOverride')) ?? numberOf(child(level, 'start')) ?? 1]];
      }),
    );
  };
  return new Map(childrenOf(root, 'num').map((list) => [attribute(list, 'numId') ?? '', levelsOf(list)]));
};

/** The numbers of list items, which the reader of Word files leaves out: marked before it, put into the tree after. */
export class DocxNumbers {
  readonly #depth: number;
  #marked = false;

  constructor(depth: number) {
    this.#depth = depth;
  }

  /** The archive with its number in front of each item of a numbered list. */
  takeFrom(archive: Archive): Archive {
    const main = archive.get(MAIN);
    const starts = startsIn(archive.get(NUMBERING), this.#depth);
    if (main === undefined || starts.size === 0) return archive;
    return new Map(archive).set(MAIN, new TextEncoder().encode(this.#mark(decodeXml(main), starts)));
  }

  /** Gives numbered lists the number of their first item, in place, and takes the marks out. */
  putBack(tree: Root): Root {
    if (this.#marked) this.#settle(tree);
    return tree;
  }

  #mark(xml: string, starts: Starts): string {
    const counts = new Map<string, Map<number, number>>();
    return xml.replaceAll(PROPERTIES, (properties) => {
      // Earlier properties of a paragraph stand inside of the present ones.
      if (!properties.includes('<w:numPr') || properties.includes('<w:pPrChange')) return properties;
      const list = descend(this.#fragment(properties), 'pPr', 'numPr');
      const id = attribute(child(list, 'numId'), 'val') ?? '';
      const level = numberOf(child(list, 'ilvl')) ?? 0;
      const start = starts.get(id)?.get(String(level));
      if (start === undefined) return properties;
      const levels = counts.get(id) ?? new Map<number, number>();
      const next = (levels.get(level) ?? start - 1) + 1;
      for (const deeper of [...levels.keys()].filter((each) => each > level)) levels.delete(deeper);
      counts.set(id, levels.set(level, next));
      this.#marked = true;
      return `${properties}<w:r><w:t>\uE0F2${next}\uE0F3</w:t></w:r>`;
    });
  }

  #fragment(properties: string): XmlElement {
    // The prefixes are declared at the root of the part, which is not here.
    return parseXml(new TextEncoder().encode(`<x xmlns:w="w">${properties}</x>`), this.#depth);
  }

  #settle(parent: Parents): void {
    if (parent.type === 'list') this.#number(parent);
    parent.children = parent.children.filter((node) => this.#isKept(node)) as typeof parent.children;
  }

  #number(list: List): void {
    const [, number] = /^\uE0F2(\d+)\uE0F3/u.exec(firstText(list.children[0])) ?? [];
    if (list.ordered === true && number !== undefined) list.start = Number(number);
  }

  /** Nothing but a mark is an empty paragraph, which would not have come this far. */
  #isKept(node: Nodes): boolean {
    if ('value' in node) {
      const marked = node.value;
      node.value = marked.replaceAll(MARK, '');
      return node.value !== '' || marked === '';
    }
    if (!('children' in node) || node.children.length === 0) return true;
    this.#settle(node);
    return node.children.length > 0;
  }
}

const firstText = (node: Nodes | undefined): string => {
  if (node === undefined) return '';
  if ('value' in node) return node.value;
  return 'children' in node ? firstText(node.children[0]) : '';
};
