export type Part = 'text' | 'order' | 'headings' | 'cells' | 'lists' | 'code';

export type Score = Readonly<Record<Part, number | undefined>> & { readonly score: number };

export declare const PARTS: readonly Part[];

export declare const scoreMarkdown: (expected: string, actual: string) => Score;
