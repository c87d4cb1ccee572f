import type { PhrasingContent } from 'mdast';
import { toString } from 'mdast-util-to-string';
import { DocumentError } from '../../document-error.js';
import { numberFootnotes } from '../../tree/number-footnotes.js';
import type { DocumentReader, ReadOptions } from '../../tree/document-reader.js';
import { paragraph, text, type Block } from '../../tree/tree.js';
import { recognisePages } from './recognise-pages.js';
import { FontSizes } from '../layout/font-sizes.js';
import { looksBlocks } from '../layout/looks-blocks.js';
import { openPdfFile, type PdfFile } from './pdf-js.js';
import { withPageNotes } from './pdf-notes.js';
import { readPageText, type PdfPageText } from './pdf-page-text.js';
import { withoutRunningHeads } from './running-heads.js';
import { taggedBlocks, taggedShare } from './tagged-blocks.js';
import { linesOf } from '../layout/text-line.js';
import { unfoldColumns } from '../layout/unfold-columns.js';

/** Letters and operators that stand in formulas and hardly anywhere else. */
const FORMULA = /[\u{1D400}-\u{1D7FF}√∑∏∫∮∂∇]/u;

/** A PDF places the characters of a formula one by one; what is above, below or under a root is not said. */
const formulaWarnings = (pages: readonly Pick<PdfPageText, 'runs'>[]): readonly string[] => {
  const numbers = pages.flatMap(({ runs }, index) => (runs.some(({ text }) => FORMULA.test(text)) ? [index + 1] : []));
  if (numbers.length === 0) return [];
  const where = `${numbers.length === 1 ? 'page' : 'pages'} ${numbers.join(', ')}`;
  return [`Formulas on ${where} are given as a sequence of characters: fractions, roots and indices are lost.`];
};

const WELL_TAGGED = 0.9;

const open = async (bytes: Uint8Array): Promise<PdfFile> => {
  try {
    return await openPdfFile(bytes);
  } catch (error) {
    if (error instanceof Error && error.name === 'PasswordException') {
      throw new DocumentError('ENCRYPTED', 'The PDF is protected by a password.', 'Save it without a password.');
    }
    throw new DocumentError('DAMAGED', 'The PDF cannot be read.');
  }
};

const readPages = async (file: PdfFile, { progress }: ReadOptions): Promise<readonly PdfPageText[]> => {
  const pages: PdfPageText[] = [];
  try {
    for (let number = 1; number <= file.numPages; number += 1) {
      const page = await file.getPage(number);
      pages.push(await readPageText(page));
      page.cleanup();
      progress(number, file.numPages);
    }
  } catch {
    throw new DocumentError('DAMAGED', `Page ${pages.length + 1} of the PDF cannot be read.`);
  }
  return pages;
};

const blocksByLooks = (pages: readonly PdfPageText[]): readonly (readonly Block[])[] => {
  const sizes = new FontSizes(pages.flatMap(({ runs }) => runs));
  const lines = pages.map(({ height, runs }) => ({ height, lines: linesOf(runs) }));
  return withoutRunningHeads(lines).map((page, index) =>
    looksBlocks(unfoldColumns(page.lines), sizes, pages[index]?.width),
  );
};

/** By its tags when the file has them throughout, else by its looks. */
const blocksOf = (pages: readonly PdfPageText[]): readonly (readonly Block[])[] => {
  const written = pages.filter(({ runs }) => runs.length > 0);
  const tagged = written.length > 0 && written.every((page) => taggedShare(page) >= WELL_TAGGED);
  return tagged ? pages.map(taggedBlocks) : blocksByLooks(pages);
};

const titleOf = async (file: PdfFile): Promise<string | undefined> => {
  const { info } = await file.getMetadata().catch(() => ({ info: {} as Readonly<Record<string, unknown>> }));
  const title = info['Title'];
  return typeof title === 'string' && title.trim() !== '' ? title.trim() : undefined;
};

const ocrWarnings = (recognised: number, missed: readonly number[]): readonly string[] => [
  ...(recognised === 0
    ? []
    : [
        `The text of ${recognised === 1 ? '1 page' : `${recognised} pages`} was recognised in pictures: single letters may be wrong.`,
      ]),
  ...(missed.length === 0 ? [] : [`Pages without recognised text: ${missed.join(', ')}.`]),
];

/** A page whose picture could not be read says so where its text would stand. */
const missedBlocks = (blocks: readonly Block[], page: number, missed: readonly number[]): readonly Block[] =>
  blocks.length === 0 && missed.includes(page)
    ? [paragraph(text(`[Page ${page} is a picture without recognised text.]`))]
    : blocks;

export const readPdf: DocumentReader = async (bytes, options) => {
  const file = await open(bytes);
  try {
    if (file.numPages > options.limits.pages) {
      throw new DocumentError(
        'TOO_LARGE',
        `The PDF has ${file.numPages} pages; at most ${options.limits.pages} are read.`,
      );
    }
    const { pages, recognised, missed } = await recognisePages(file, await readPages(file, options), options);
    const found = blocksOf(pages).map((blocks, index) =>
      missedBlocks(withPageNotes(blocks, index + 1), index + 1, missed.length === file.numPages ? [] : missed),
    );
    const notes = found.flat().filter((block) => block.type === 'footnoteDefinition');
    const body = found.map((blocks) => blocks.filter((block) => block.type !== 'footnoteDefinition'));
    const { children } = numberFootnotes({ type: 'root', children: [...joinPages(body), ...notes] });
    return {
      tree: { type: 'root', children },
      title: await titleOf(file),
      pages: file.numPages,
      images: [],
      warnings: [...ocrWarnings(recognised, missed), ...formulaWarnings(pages)],
    };
  } finally {
    await file.destroy();
  }
};

const goesOn = (last: Block | undefined, first: Block | undefined): boolean =>
  last?.type === 'paragraph' &&
  first?.type === 'paragraph' &&
  !/[.!?:;…"”»]\s*$/u.test(toString(last)) &&
  /^\s*\p{Ll}/u.test(toString(first));

const wordsOf = (block: Block | undefined): readonly PhrasingContent[] =>
  block?.type === 'paragraph' ? block.children : [];

/** Puts pages together; a sentence that the end of a page cut is one paragraph again. */
export const joinPages = (pages: readonly (readonly Block[])[]): Block[] => {
  const joined: Block[] = [];
  for (const page of pages) {
    const [first, ...rest] = page;
    if (first === undefined) continue;
    const last = joined.at(-1);
    if (goesOn(last, first)) joined[joined.length - 1] = paragraph(...wordsOf(last), text(' '), ...wordsOf(first));
    else joined.push(first);
    joined.push(...rest);
  }
  return joined;
};
