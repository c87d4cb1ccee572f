import type { Literal, Parent, PhrasingContent } from 'mdast';

// What Markdown trees have no node for. Each writer knows how to write them.

export interface Superscript extends Parent {
  type: 'superscript';
  children: PhrasingContent[];
}

export interface Subscript extends Parent {
  type: 'subscript';
  children: PhrasingContent[];
}

/** A formula in a line, as LaTeX. */
export interface InlineMath extends Literal {
  type: 'inlineMath';
}

/** A formula that stands alone, as LaTeX. */
export interface DisplayMath extends Literal {
  type: 'math';
}

declare module 'mdast' {
  interface PhrasingContentMap {
    superscript: Superscript;
    subscript: Subscript;
    inlineMath: InlineMath;
  }
  interface RootContentMap {
    superscript: Superscript;
    subscript: Subscript;
    inlineMath: InlineMath;
    math: DisplayMath;
  }
  interface BlockContentMap {
    math: DisplayMath;
  }
}

export const superscript = (children: readonly PhrasingContent[]): Superscript => ({
  type: 'superscript',
  children: [...children],
});

export const subscript = (children: readonly PhrasingContent[]): Subscript => ({
  type: 'subscript',
  children: [...children],
});

export const inlineMath = (value: string): InlineMath => ({ type: 'inlineMath', value });

export const displayMath = (value: string): DisplayMath => ({ type: 'math', value });
