import type { Code, PhrasingContent } from 'mdast';
import { nestedList, type FlatItem } from '../../tree/nested-list.js';
import { styledPhrasing, type StyledRun } from '../../tree/styled-runs.js';
import { heading, isBlank, paragraph, table, text, trimPhrasing, type Block } from '../../tree/tree.js';
import type { RtfElement, RtfParagraph } from './rtf-paragraph.js';

const TYPED_LABEL = /^([•◦▪–·-]|\(?(?:\d{1,4}|[A-Za-z]|[ivxlc]{1,6})[.)])\t\s*/u;
const CODE_STYLE = /preformatted|source code|html code|plain text/u;
const QUOTE_STYLE = /^(?:quotations|quote|block text|intense quote)/u;

const textOf = (runs: readonly StyledRun[]): string =>
  runs.map((run) => ('text' in run ? run.text : run.node.type === 'break' ? '\n' : '')).join('');

const isCode = ({ runs, style }: RtfParagraph): boolean => {
  const words = runs.filter((run) => 'text' in run && run.text.trim() !== '');
  return CODE_STYLE.test(style) || (words.length > 0 && words.every((run) => 'text' in run && run.code === true));
};

const words = (runs: readonly StyledRun[]): readonly PhrasingContent[] =>
  trimPhrasing(
    styledPhrasing(runs.map((run) => ('text' in run ? { ...run, text: run.text.replaceAll(/[\t ]+/gu, ' ') } : run))),
  );

interface Item {
  readonly label: string;
  readonly level: number | undefined;
  readonly indent: number;
  readonly runs: readonly StyledRun[];
}

/** An item has a label of its own, or one that was typed before a tab in a line that hangs out. */
const itemOf = ({ label, level, indent, firstIndent, runs }: RtfParagraph): Item | undefined => {
  if (label !== undefined && label.trim() !== '') return { label: label.trim(), level, indent, runs };
  const typed = firstIndent < 0 ? TYPED_LABEL.exec(textOf(runs)) : null;
  if (typed === null) return undefined;
  return { label: typed[1] ?? '', level: undefined, indent, runs: withoutStart(runs, typed[0].length) };
};

const withoutStart = (runs: readonly StyledRun[], length: number): readonly StyledRun[] => {
  let left = length;
  return runs.flatMap((run) => {
    if (!('text' in run) || left === 0) return [run];
    const cut = Math.min(left, run.text.length);
    left -= cut;
    return cut === run.text.length ? [] : [{ ...run, text: run.text.slice(cut) }];
  });
};

const listBlock = (items: readonly Item[]): Block => {
  const edges = [...new Set(items.map(({ indent }) => indent))].sort((a, b) => a - b);
  return nestedList(
    items.map(({ label, level, indent, runs }): FlatItem => {
      const number = /^\(?(\d{1,4})[.)]?$/u.exec(label)?.[1];
      return {
        level: level ?? edges.indexOf(indent),
        ordered: /[0-9A-Za-z]/u.test(label),
        start: number === undefined ? undefined : Number(number),
        children: words(runs),
      };
    }),
  );
};

const headingDepth = ({ style, outline }: RtfParagraph): number | undefined => {
  const named = /^heading (\d)/u.exec(style)?.[1];
  if (named !== undefined) return Number(named);
  if (style === 'title') return 1;
  return outline === undefined || outline > 8 ? undefined : outline + 1;
};

/** Headings and heads of tables stand out by what they are. */
const plain = (runs: readonly StyledRun[]): readonly StyledRun[] =>
  runs.map((run) => ('text' in run ? { ...run, bold: false, italic: false } : run));

const cellWords = (paragraphs: readonly RtfParagraph[], head: boolean): readonly PhrasingContent[] =>
  paragraphs
    .map(({ runs }) => words(head ? plain(runs) : runs))
    .filter((children) => !isBlank(children))
    .flatMap((children, index) => (index === 0 ? children : [text(' '), ...children]))
    .map((node) => (node.type === 'break' ? text(' ') : node));

/** Paragraphs and rows as blocks: what follows each other of one kind belongs together. */
export const rtfBlocks = (elements: readonly RtfElement[]): readonly Block[] => {
  const blocks: Block[] = [];
  let rows: (readonly (readonly PhrasingContent[])[])[] = [];
  let items: Item[] = [];
  const flush = (): void => {
    if (rows.length > 0) blocks.push(table(rows));
    if (items.length > 0) blocks.push(listBlock(items));
    rows = [];
    items = [];
  };
  for (const element of elements) {
    if (element.kind === 'row') {
      if (items.length > 0) flush();
      const head = rows.length === 0;
      rows.push(element.cells.map((cell) => cellWords(cell, head)));
      continue;
    }
    const { paragraph: found } = element;
    const depth = headingDepth(found);
    const item = depth === undefined && !isCode(found) ? itemOf(found) : undefined;
    if (item !== undefined) {
      if (rows.length > 0) flush();
      items.push(item);
      continue;
    }
    if (textOf(found.runs).trim() === '' && found.runs.every((run) => 'text' in run)) {
      if (rows.length > 0) flush();
      continue;
    }
    flush();
    blocks.push(...blockOf(found, depth, blocks));
  }
  flush();
  return blocks;
};

const blockOf = (found: RtfParagraph, depth: number | undefined, before: Block[]): readonly Block[] => {
  if (depth !== undefined) return [heading(depth, ...words(plain(found.runs)))];
  if (isCode(found)) {
    const value = textOf(found.runs);
    const last = before.at(-1);
    if (last?.type !== 'code') return [{ type: 'code', value }];
    before[before.length - 1] = { ...last, value: `${last.value}\n${value}` } satisfies Code;
    return [];
  }
  const block = paragraph(...words(found.runs));
  return [QUOTE_STYLE.test(found.style) ? { type: 'blockquote', children: [block] } : block];
};
