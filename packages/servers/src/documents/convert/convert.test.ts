import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS, type Limits } from '../limits.js';
import { fixture, fixtureText } from '../test-support/fixture.js';
import { HOSTILE_DOCUMENTS } from '../test-support/hostile-corpus.js';
import { pdfFile, pdfOfPages, textPage } from '../test-support/pdf-file.js';
import type { OutputFormat } from '../write/write-document.js';
import { convert, type Conversion, type ConvertedDocument } from './convert.js';

const run = (fileName: string, bytes: Uint8Array, options: Partial<Conversion> = {}): Promise<ConvertedDocument> =>
  convert(
    { bytes, hints: { fileName }, output: 'markdown', tables: true, images: false, limits: DEFAULT_LIMITS, ...options },
    () => undefined,
  );

describe('documents that real programs made', () => {
  it.each([
    'report.docx',
    'report.pdf',
    'report-untagged.pdf',
    'report.epub',
    'budget.xlsx',
    'budget.pdf',
    'columns.pdf',
    'slides.pptx',
    'crew.csv',
    'notes.md',
    'plain.txt',
    'page.html',
  ])('%s becomes the expected Markdown', async (name) => {
    const { text, warnings } = await run(name, fixture(name));
    expect(text).toBe(fixtureText(`${name}.expected.md`));
    expect(warnings).toEqual(name === 'page.html' ? [expect.stringContaining('1 picture was left out')] : []);
  });

  it.each<[OutputFormat, string]>([
    ['html', '.html'],
    ['json', '.json'],
    ['text', '.txt'],
  ])('become the expected %s', async (output, extension) => {
    const { text } = await run('report.docx', fixture('report.docx'), { output });
    expect(text).toBe(fixtureText(`report.docx.expected${extension}`));
  });

  it('say what they are', async () => {
    expect(await run('report.pdf', fixture('report.pdf'))).toMatchObject({
      format: 'pdf',
      title: 'Harbour report',
      pages: 1,
    });
    expect(await run('slides.pptx', fixture('slides.pptx'))).toMatchObject({ format: 'pptx', pages: 2 });
  });

  it('lose their tables when nobody wants them', async () => {
    const { text } = await run('crew.csv', fixture('crew.csv'), { tables: false });
    expect(text).toBe('name team note\n\nAda Night likes; semicolons\n\nZoë Day two lines\n');
  });

  it('hand out their pictures when they are wanted', async () => {
    const { text, images } = await run('page.html', fixture('page.html'), { images: true });
    expect(text).toContain('![A dot](image-1.png)');
    expect(images).toMatchObject([{ name: 'image-1.png', mediaType: 'image/png' }]);
    expect([...(images[0]?.bytes.subarray(0, 4) ?? [])]).toEqual([0x89, 0x50, 0x4e, 0x47]);
  });

  it('say that their pictures cannot be handed out', async () => {
    await expect(run('report.pdf', fixture('report.pdf'), { images: true })).rejects.toMatchObject({
      code: 'NOT_SUPPORTED',
    });
  });
});

describe('progress', () => {
  it('is told page by page', async () => {
    const told: number[][] = [];
    const bytes = pdfOfPages([textPage('One.'), textPage('Two.'), textPage('Three.')]);
    const conversion: Conversion = {
      bytes,
      hints: { fileName: 'a.pdf' },
      output: 'text',
      tables: true,
      images: false,
      limits: DEFAULT_LIMITS,
    };
    const { text } = await convert(conversion, (done, total) => told.push([done, total]));
    expect(text).toBe('One.\n\nTwo.\n\nThree.\n');
    expect(told).toEqual([
      [1, 3],
      [2, 3],
      [3, 3],
    ]);
  });
});

describe('documents that mean harm', () => {
  it.each(HOSTILE_DOCUMENTS)('$what is refused with $code', async ({ fileName, bytes, code }) => {
    const error = await run(fileName, bytes()).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({ name: 'DocumentError', code });
    expect(String(error)).not.toMatch(/\/(?:tmp|home|root|usr|work)\b|node_modules|\.js:\d/u);
  });

  it('a PDF with a broken table of references is read all the same', async () => {
    const bytes = Buffer.from(pdfOfPages([textPage('found')]));
    bytes.write('xyzf', bytes.lastIndexOf('xref\n0'));
    expect((await run('a.pdf', new Uint8Array(bytes))).text).toBe('found\n');
  });

  it('a PDF without text says so', async () => {
    const empty = pdfFile([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>',
    ]);
    await expect(run('a.pdf', empty)).rejects.toMatchObject({
      code: 'EMPTY',
      hint: expect.stringContaining('ocr: true') as string,
    });
    await expect(run('a.txt', new Uint8Array([0x20, 0x0a]))).rejects.toMatchObject({ code: 'EMPTY' });
  });

  it('nothing is read or written beyond its limits', async () => {
    const limits: Limits = { ...DEFAULT_LIMITS, inputBytes: 10, outputCharacters: 5 };
    await expect(run('a.txt', new Uint8Array(11).fill(0x61), { limits })).rejects.toMatchObject({ code: 'TOO_LARGE' });
    await expect(run('a.txt', new Uint8Array(9).fill(0x61), { limits })).rejects.toMatchObject({ code: 'TOO_LARGE' });
  });
});
