import type { PdfAnnotation, PdfPage, PdfStructNode } from './pdf-js.js';
import { textRuns, type TextRun } from './text-run.js';

/** Everything of one page that tells what it says. */
export interface PdfPageText {
  readonly height: number;
  /** All runs in the order of the file. */
  readonly runs: readonly TextRun[];
  /** Runs by the id of their marked content. */
  readonly marked: ReadonlyMap<string, readonly TextRun[]>;
  readonly structure: PdfStructNode | undefined;
  readonly links: readonly PdfAnnotation[];
}

export const readPageText = async (page: PdfPage): Promise<PdfPageText> => {
  const annotations = await page.getAnnotations();
  const links = annotations.filter(({ subtype, url }) => subtype === 'Link' && url !== undefined);
  const { items } = await page.getTextContent({ includeMarkedContent: true });
  const runs: TextRun[] = [];
  const marked = new Map<string, TextRun[]>();
  const open: { readonly id: string | undefined; readonly artifact: boolean }[] = [];
  for (const item of items) {
    if ('str' in item) {
      if (item.str === '') continue;
      const pieces = textRuns(item, links);
      // Page numbers, rules and the like say so themselves in a tagged file.
      if (!open.some(({ artifact }) => artifact)) runs.push(...pieces);
      const id = open.findLast((mark) => mark.id !== undefined)?.id;
      if (id !== undefined) marked.set(id, [...(marked.get(id) ?? []), ...pieces]);
    } else if (item.type === 'endMarkedContent') open.pop();
    else open.push({ id: item.id ?? undefined, artifact: item.tag === 'Artifact' });
  }
  const [, bottom, , top] = page.view;
  const structure = (await page.getStructTree()) ?? undefined;
  return { height: top - bottom, runs, marked, structure, links };
};
