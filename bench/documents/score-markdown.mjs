// How much of an expected Markdown text another one keeps: each part from 0 to 1, or undefined where nothing is expected.
import { markdownBlocks } from '../../packages/servers/dist/documents/read/read-markdown.js';

const FORMULA = /\$\$([\s\S]+?)\$\$|\$([^$\n]+?)\$/gu;

/** One spelling for formulas that mean the same. */
const sameFormula = (latex) =>
  latex.replaceAll(/\\(?:left|right|,|;|!)|[\s{}]/gu, '').replaceAll(/\\overline|\\bar/gu, '\\bar');

/** Formulas become words, so that they are compared as a whole. */
const withFormulas = (markdown) => {
  const formulas = [];
  const text = markdown.replaceAll(FORMULA, (_match, display, inline) => {
    formulas.push(sameFormula(display ?? inline));
    return ` formula${formulas.length - 1}q `;
  });
  return { text, formulas };
};

const parse = (markdown) => {
  const { text, formulas } = withFormulas(markdown);
  return { tree: { type: 'root', children: markdownBlocks(text) }, formulas };
};

const flatten = (node) => [node, ...(node.children ?? []).flatMap(flatten)];

const plainText = (node) => {
  if (node.type === 'html') return '';
  return node.value ?? node.alt ?? (node.children ?? []).map(plainText).join('');
};

const textOf = (node) => plainText(node).replaceAll(/\s+/gu, ' ').trim();

/** Words in order; raised and lowered ones carry a mark, notes and formulas are words of their own. */
const wordsOf = ({ tree, formulas }) => {
  const words = [];
  let script = '';
  const visit = (node) => {
    if (node.type === 'html') {
      if (/^<(sup|sub)>$/u.test(node.value)) script = `${node.value.slice(1, -1)}:`;
      else if (/^<\/(?:sup|sub)>$/u.test(node.value)) script = '';
      return;
    }
    if (node.type === 'footnoteReference') words.push('note:');
    if (typeof node.value === 'string') {
      for (const word of node.value.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
        const formula = /^formula(\d+)q$/u.exec(word)?.[1];
        words.push(formula === undefined ? script + word : `math:${formulas[Number(formula)]}`);
      }
    }
    for (const child of node.children ?? []) visit(child);
  };
  visit(tree);
  return words;
};

const recall = (expected, actual) => {
  const left = new Map();
  for (const word of actual) left.set(word, (left.get(word) ?? 0) + 1);
  const found = expected.filter((word) => {
    const count = left.get(word) ?? 0;
    left.set(word, count - 1);
    return count > 0;
  });
  return found.length / expected.length;
};

/** The longest sequence of words that both have in the same order. */
const order = (expected, actual) => {
  let row = new Uint32Array(actual.length + 1);
  for (const word of expected) {
    const next = new Uint32Array(actual.length + 1);
    for (let index = 1; index <= actual.length; index += 1) {
      next[index] = word === actual[index - 1] ? row[index - 1] + 1 : Math.max(row[index], next[index - 1]);
    }
    row = next;
  }
  return row[actual.length] / expected.length;
};

const share = (expected, isFound) =>
  expected.length === 0 ? undefined : expected.reduce((sum, item) => sum + Number(isFound(item)), 0) / expected.length;

const rowsOf = ({ tree }) =>
  flatten(tree)
    .filter(({ type }) => type === 'tableRow')
    .map((row) => row.children.map(textOf));

const cells = (expected, actual) => {
  const rows = rowsOf(actual);
  const wanted = rowsOf(expected).flatMap((row) => row.map((cell, column) => ({ row, cell, column })));
  // A cell counts when it stands in its column, in a row that has most of the same cells.
  return share(wanted, ({ row, cell, column }) =>
    rows.some(
      (other) => other[column] === cell && row.filter((text, index) => other[index] === text).length * 2 >= row.length,
    ),
  );
};

const headingsOf = ({ tree }) =>
  flatten(tree)
    .filter(({ type }) => type === 'heading')
    .map((node) => ({ depth: node.depth, text: textOf(node) }));

const headings = (expected, actual) => {
  const found = headingsOf(actual);
  return share(headingsOf(expected), ({ depth, text }) => {
    const same = found.filter((heading) => heading.text === text);
    if (same.length === 0) return 0;
    return same.some((heading) => heading.depth === depth) ? 1 : 0.5;
  });
};

const codeOf = ({ tree }) =>
  flatten(tree)
    .filter(({ type }) => type === 'code')
    .flatMap(({ value }) => value.split('\n'))
    .filter((line) => line.trim() !== '');

const code = (expected, actual) => {
  const lines = new Set(codeOf(actual));
  return share(codeOf(expected), (line) => lines.has(line));
};

const itemsOf = ({ tree }) => {
  const items = [];
  const visit = (node, depth) => {
    if (node.type === 'list') {
      for (const [index, item] of node.children.entries()) {
        const [first] = item.children;
        const number = node.ordered ? (node.start ?? 1) + index : '-';
        items.push(`${depth} ${number} ${first === undefined || first.type === 'list' ? '' : textOf(first)}`);
      }
    }
    for (const child of node.children ?? []) visit(child, node.type === 'list' ? depth + 1 : depth);
  };
  visit(tree, 0);
  return items;
};

const lists = (expected, actual) => {
  const items = new Set(itemsOf(actual));
  return share(itemsOf(expected), (item) => items.has(item));
};

export const PARTS = ['text', 'order', 'headings', 'cells', 'lists', 'code'];

export const scoreMarkdown = (expectedMarkdown, actualMarkdown) => {
  const [expected, actual] = [parse(expectedMarkdown), parse(actualMarkdown)];
  const [wanted, got] = [wordsOf(expected), wordsOf(actual)];
  const parts = {
    text: recall(wanted, got),
    order: order(wanted, got),
    headings: headings(expected, actual),
    cells: cells(expected, actual),
    lists: lists(expected, actual),
    code: code(expected, actual),
  };
  const known = PARTS.map((part) => parts[part]).filter((value) => value !== undefined);
  return { ...parts, score: known.reduce((sum, value) => sum + value, 0) / known.length };
};
