import type { PhrasingContent } from 'mdast';
import { subscript, superscript } from './extra-nodes.js';
import { link, text } from './tree.js';

/** How a piece of text looks, as formats without nesting say it. */
export interface Look {
  readonly bold?: boolean | undefined;
  readonly italic?: boolean | undefined;
  readonly struck?: boolean | undefined;
  readonly raised?: boolean | undefined;
  readonly lowered?: boolean | undefined;
  readonly code?: boolean | undefined;
  readonly url?: string | undefined;
}

/** Text with its look, or something that is no text: a break, a picture, a formula, a note. */
export type StyledRun = (Look & { readonly text: string }) | { readonly node: PhrasingContent };

const MARKS = ['bold', 'italic', 'struck', 'raised', 'lowered', 'code', 'url'] as const;

const sameLook = (a: Look, b: Look): boolean => MARKS.every((mark) => (a[mark] ?? false) === (b[mark] ?? false));

/** Space at the edge of emphasis stands outside of it: Markdown would not take it for emphasis. */
const withoutEdges = (run: StyledRun): readonly StyledRun[] => {
  if ('node' in run) return [run];
  const words = run.text.trim();
  if (words === run.text) return [run];
  if (words === '') return [{ text: run.text, url: run.url }];
  const start = run.text.indexOf(words);
  const edges = [run.text.slice(0, start), run.text.slice(start + words.length)] as const;
  return [{ text: edges[0] }, { ...run, text: words }, { text: edges[1] }].filter((piece) => piece.text !== '');
};

const merged = (runs: readonly StyledRun[]): readonly StyledRun[] => {
  const result: StyledRun[] = [];
  for (const run of runs) {
    const last = result.at(-1);
    if (last !== undefined && 'text' in last && 'text' in run && sameLook(last, run)) {
      result[result.length - 1] = { ...last, text: last.text + run.text };
    } else if (!('text' in run) || run.text !== '') {
      result.push(run);
    }
  }
  return result;
};

const nodeOf = (run: StyledRun): PhrasingContent => {
  if ('node' in run) return run.node;
  let node: PhrasingContent = run.code === true ? { type: 'inlineCode', value: run.text } : text(run.text);
  if (run.raised === true) node = superscript([node]);
  if (run.lowered === true) node = subscript([node]);
  if (run.struck === true) node = { type: 'delete', children: [node] };
  if (run.italic === true) node = { type: 'emphasis', children: [node] };
  if (run.bold === true) node = { type: 'strong', children: [node] };
  return node;
};

/** Runs as Markdown: neighbours of one look are one piece, and what one link covers is one link. */
export const styledPhrasing = (runs: readonly StyledRun[]): readonly PhrasingContent[] => {
  const pieces = merged(merged(runs).flatMap(withoutEdges));
  const nodes: PhrasingContent[] = [];
  let open: { readonly url: string; readonly children: PhrasingContent[] } | undefined;
  const close = (): void => {
    if (open !== undefined) nodes.push(link(open.url, open.children));
    open = undefined;
  };
  for (const piece of pieces) {
    const url = 'node' in piece ? undefined : piece.url;
    if (open !== undefined && open.url !== url) close();
    if (url === undefined) {
      nodes.push(nodeOf(piece));
    } else {
      open ??= { url, children: [] };
      open.children.push(nodeOf(piece));
    }
  }
  close();
  return nodes;
};
