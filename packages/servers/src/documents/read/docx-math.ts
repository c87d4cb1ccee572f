import type { Nodes, Parents, PhrasingContent, Root } from 'mdast';
import type { Archive } from '../archive/open-archive.js';
import { ommlToLatex } from '../math/omml-latex.js';
import { decodeXml } from '../xml/decode-xml.js';
import { parseXml } from '../xml/parse-xml.js';
import { displayMath, inlineMath } from '../tree/extra-nodes.js';
import { text } from '../tree/tree.js';

interface Formula {
  readonly latex: string;
  readonly display: boolean;
}

const PARTS = ['word/document.xml', 'word/footnotes.xml', 'word/endnotes.xml'] as const;
const FORMULA = /<m:oMathPara(?:\s[^>]*)?>[\s\S]*?<\/m:oMathPara>|<m:oMath(?:\s[^>]*)?>[\s\S]*?<\/m:oMath>/gu;

// Letters of the private use area, which no font gives a meaning, around the number of a formula.
const MARK = /\uE0F0(\d+)\uE0F1/gu;

/** Formulas of a Word file, taken out of its XML before it is read and put back into the tree after. */
export class DocxMath {
  readonly #formulas: Formula[] = [];
  readonly #depth: number;

  constructor(depth: number) {
    this.#depth = depth;
  }

  /** The archive with a mark in place of each formula. */
  takeFrom(archive: Archive): Archive {
    const marked = new Map(archive);
    for (const part of PARTS) {
      const bytes = archive.get(part);
      const xml = bytes === undefined ? '' : decodeXml(bytes);
      if (xml.includes('<m:oMath')) marked.set(part, new TextEncoder().encode(this.#mark(xml)));
    }
    return marked;
  }

  /** Puts the formulas where their marks stand, in place. */
  putBack(tree: Root): Root {
    if (this.#formulas.length > 0) this.#replaceIn(tree);
    return tree;
  }

  #mark(xml: string): string {
    return xml.replaceAll(FORMULA, (fragment) => {
      const display = fragment.startsWith('<m:oMathPara');
      const latex = ommlToLatex(parseXml(new TextEncoder().encode(fragment), this.#depth));
      if (latex === '') return '';
      this.#formulas.push({ latex, display });
      return `<w:r><w:t xml:space="preserve">\uE0F0${this.#formulas.length - 1}\uE0F1</w:t></w:r>`;
    });
  }

  #replaceIn(parent: Parents): void {
    const children = parent.children.flatMap((node): readonly Nodes[] => {
      if (node.type === 'text') return this.#split(node.value);
      if ('children' in node) this.#replaceIn(node);
      return [this.#asBlock(node) ?? node];
    });
    parent.children = children as typeof parent.children;
  }

  #split(value: string): readonly PhrasingContent[] {
    return value.split(MARK).flatMap((piece, index): PhrasingContent[] => {
      if (index % 2 === 0) return piece === '' ? [] : [text(piece)];
      const formula = this.#formulas[Number(piece)];
      return formula === undefined ? [] : [inlineMath(formula.latex)];
    });
  }

  /** A paragraph that is nothing but a formula which stood alone. */
  #asBlock(node: Nodes): Nodes | undefined {
    if (node.type !== 'paragraph') return undefined;
    const [only, ...others] = node.children.filter((child) => child.type !== 'text' || child.value.trim() !== '');
    if (only?.type !== 'inlineMath' || others.length > 0) return undefined;
    return this.#formulas.some(({ latex, display }) => display && latex === only.value)
      ? displayMath(only.value)
      : undefined;
  }
}
