import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../limits.js';
import { officeFile, wordDocument, wordText } from '../test-support/office-file.js';
import { writeMarkdown } from '../write/write-markdown.js';
import { readPptx } from './pptx/read-pptx.js';
import type { DocumentReader } from '../tree/document-reader.js';
import { readDocx } from './read-docx.js';
import { readEpub } from './read-epub.js';
import { readHtml } from './read-html.js';
import { readXlsx } from './read-xlsx.js';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const read = async (reader: DocumentReader, bytes: Uint8Array, images = false) => {
  const content = await reader(bytes, { limits: DEFAULT_LIMITS, images, progress: () => undefined });
  return { ...content, markdown: writeMarkdown(content.tree) };
};

const relations = (...rows: readonly string[]): string =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${rows.join('')}</Relationships>`;

const relation = (id: string, type: string, target: string, mode = ''): string =>
  `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"${mode === '' ? '' : ` TargetMode="${mode}"`}/>`;

const presentation = (
  slides: readonly string[],
  parts: Readonly<Record<string, string | Uint8Array>> = {},
): Uint8Array =>
  officeFile({
    'ppt/presentation.xml': `<p:presentation xmlns:r="r"><p:sldIdLst>${slides.map((_, index) => `<p:sldId id="${256 + index}" r:id="r${index}"/>`).join('')}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relations(
      ...slides.map((_, index) => relation(`r${index}`, 'slide', `slides/slide${index}.xml`)),
    ),
    ...Object.fromEntries(slides.map((slide, index) => [`ppt/slides/slide${index}.xml`, slide])),
    ...parts,
  });

const slide = (shapes: string, more = ''): string =>
  `<p:sld${more}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`;

const box = (paragraphs: string, { ph = '', y = 0 }: { ph?: string; y?: number } = {}): string =>
  `<p:sp><p:nvSpPr><p:nvPr>${ph}</p:nvPr></p:nvSpPr><p:spPr><a:xfrm><a:off x="0" y="${y}"/></a:xfrm></p:spPr><p:txBody>${paragraphs}</p:txBody></p:sp>`;

const line = (words: string, properties = ''): string =>
  `<a:p>${properties}<a:r><a:rPr/><a:t>${words}</a:t></a:r></a:p>`;

describe('presentations', () => {
  it('are read from top to bottom, whatever the order of their shapes', async () => {
    const shapes = box(line('low'), { y: 900 }) + box(line('high'), { y: 100 });
    expect((await read(readPptx, presentation([slide(shapes)]))).markdown).toBe('## Slide 1\n\nhigh\n\nlow\n');
  });

  it('leave out hidden slides, dates and numbers, and say so', async () => {
    const decorated = slide(
      box(line('Title'), { ph: '<p:ph type="ctrTitle"/>' }) + box(line('7'), { ph: '<p:ph type="sldNum"/>' }),
    );
    const { markdown, warnings } = await read(readPptx, presentation([decorated, slide(box(line('x')), ' show="0"')]));
    expect(markdown).toBe('## Title\n');
    expect(warnings).toEqual(['1 hidden slide was left out.']);
  });

  it('give bullets to a body placeholder, numbers to numbered lines, and none to those that refuse', async () => {
    const body = box(
      line('a') + line('b', '<a:pPr lvl="1"><a:buAutoNum type="x"/></a:pPr>') + line('c', '<a:pPr><a:buNone/></a:pPr>'),
      { ph: '<p:ph type="body"/>' },
    );
    expect((await read(readPptx, presentation([slide(body)]))).markdown).toBe('## Slide 1\n\n- a\n  1. b\n\nc\n');
  });

  it('keep groups, fields, breaks, merged cells and italics', async () => {
    const cell = (words: string, more = ''): string => `<a:tc${more}><a:txBody>${line(words)}</a:txBody></a:tc>`;
    const frame = `<p:graphicFrame><p:xfrm><a:off x="0" y="500"/></p:xfrm><a:graphic><a:graphicData><a:tbl><a:tr>${cell('wide', ' gridSpan="2"')}${cell('', ' hMerge="1"')}</a:tr><a:tr>${cell('a')}${cell('b')}</a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>`;
    const words = `<a:p><a:r><a:rPr i="1"/><a:t>one</a:t></a:r><a:br/><a:fld><a:t>two</a:t></a:fld></a:p>`;
    const group = `<p:grpSp><p:grpSpPr/>${box(words)}</p:grpSp>`;
    const alternative = `<mc:AlternateContent><mc:Choice>${box(line('chosen'))}</mc:Choice></mc:AlternateContent>`;
    const { markdown } = await read(readPptx, presentation([slide(group + frame + alternative)]));
    expect(markdown).toBe('## Slide 1\n\n*one*\\\ntwo\n\n| wide | |\n| - | - |\n| a | b |\n\nchosen\n');
  });

  it('hand out pictures, or name them', async () => {
    const picture = `<p:pic><p:nvPicPr><p:cNvPr descr="A dot"/></p:nvPicPr><p:blipFill><a:blip r:embed="p1"/></p:blipFill></p:pic>`;
    const file = presentation([slide(picture)], {
      'ppt/slides/_rels/slide0.xml.rels': relations(relation('p1', 'image', '../media/dot.png')),
      'ppt/media/dot.png': PNG,
    });
    const wanted = await read(readPptx, file, true);
    expect(wanted.markdown).toBe('## Slide 1\n\n![A dot](image-1.png)\n');
    expect(wanted.images).toMatchObject([{ name: 'image-1.png', mediaType: 'image/png' }]);
    expect((await read(readPptx, file)).markdown).toBe('## Slide 1\n\n\\[Image: A dot]\n');
  });

  it('that lack what they name are damaged', async () => {
    await expect(read(readPptx, officeFile({ 'ppt/other.xml': '<a/>' }))).rejects.toMatchObject({ code: 'DAMAGED' });
    await expect(read(readPptx, presentation(['<']))).rejects.toMatchObject({ code: 'DAMAGED' });
  });
});

describe('word files', () => {
  it('take their title from their properties', async () => {
    const file = officeFile({
      'word/document.xml': wordDocument(wordText('Hello')),
      'docProps/core.xml': '<cp:coreProperties><dc:title>Greeting</dc:title></cp:coreProperties>',
      '_rels/.rels': relations(relation('r1', 'officeDocument', 'word/document.xml')),
    });
    expect(await read(readDocx, file)).toMatchObject({ title: 'Greeting', markdown: 'Hello\n' });
  });
});

describe('pictures in word files', () => {
  const drawing =
    '<w:p><w:r><w:drawing><wp:inline><wp:docPr id="1" name="p" descr="A dot"/><a:graphic><a:graphicData><pic:pic><pic:blipFill><a:blip r:embed="rId7"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>';
  const spaces =
    'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';
  const file = officeFile({
    '[Content_Types].xml':
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="png" ContentType="image/png"/></Types>',
    'word/document.xml': wordDocument(drawing).replace('<w:document ', `<w:document ${spaces} `),
    '_rels/.rels': relations(relation('r1', 'officeDocument', 'word/document.xml')),
    'word/_rels/document.xml.rels': relations(relation('rId7', 'image', 'media/dot.png')),
    'word/media/dot.png': PNG,
  });

  it('are handed out when they are wanted, and named when they are not', async () => {
    const wanted = await read(readDocx, file, true);
    expect(wanted.markdown).toBe('![A dot](image-1.png)\n');
    expect(wanted.images).toMatchObject([{ mediaType: 'image/png' }]);
    expect((await read(readDocx, file)).markdown).toBe('\\[Image: A dot]\n');
  });
});

describe('workbooks', () => {
  const workbook = (sheets: string, cells: string): Uint8Array =>
    officeFile({
      '[Content_Types].xml':
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/s1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/><Override PartName="/xl/worksheets/s2.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>',
      'xl/workbook.xml': `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="r"><sheets>${sheets}</sheets></workbook>`,
      'xl/_rels/workbook.xml.rels': relations(
        relation('r1', 'worksheet', 'worksheets/s1.xml'),
        relation('r2', 'worksheet', 'worksheets/s2.xml'),
      ),
      'xl/worksheets/s1.xml': `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${cells}</sheetData></worksheet>`,
      'xl/worksheets/s2.xml':
        '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData/></worksheet>',
    });

  const TWO = '<sheet name="One" sheetId="1" r:id="r1"/><sheet name="Two" sheetId="2" r:id="r2" state="hidden"/>';

  it('show visible sheets, and say how many are hidden', async () => {
    const cells = '<row r="1"><c r="A1" t="inlineStr"><is><t>a</t></is></c><c r="B1"><v>2</v></c></row>';
    const { markdown, warnings } = await read(readXlsx, workbook(TWO, cells));
    expect(markdown).toBe('## One\n\n| a | 2 |\n| - | - |\n');
    expect(warnings).toEqual(['1 hidden sheet was left out.']);
  });

  it('say that a sheet is empty', async () => {
    const empty = '<sheet name="One" sheetId="1" r:id="r1"/>';
    expect((await read(readXlsx, workbook(empty, ''))).markdown).toBe('## One\n\n(empty)\n');
  });

  it('with too many cells are refused', async () => {
    const cells = '<row r="1"><c r="A1"><v>1</v></c><c r="B1"><v>2</v></c></row>';
    const limits = { ...DEFAULT_LIMITS, cells: 1 };
    expect(() => readXlsx(workbook(TWO, cells), { limits, images: false, progress: () => undefined })).toThrow(
      expect.objectContaining({ code: 'TOO_LARGE' }),
    );
  });
});

describe('books', () => {
  const book = (chapter: string, more: Readonly<Record<string, Uint8Array>> = {}): Uint8Array =>
    zipSync({
      'META-INF/container.xml': strToU8(
        '<container><rootfiles><rootfile full-path="OPS/p.opf"/></rootfiles></container>',
      ),
      'OPS/p.opf': strToU8(
        '<package><metadata><dc:title>B</dc:title></metadata><manifest><item id="c" href="c%201.xhtml"/></manifest><spine><itemref idref="c"/></spine></package>',
      ),
      'OPS/c 1.xhtml': strToU8(`<html><body>${chapter}</body></html>`),
      ...more,
    });

  it('keep links into the world and lose those into themselves', async () => {
    const { markdown, title } = await read(
      readEpub,
      book('<p><a href="c2.xhtml">in</a> <a href="https://a.example">out</a></p>'),
    );
    expect(markdown).toBe('in [out](https://a.example)\n');
    expect(title).toBe('B');
  });

  it('hand out pictures', async () => {
    const file = book('<img src="../i/dot.png" alt="dot"/><img src="../i/none.png"/>', { 'i/dot.png': PNG });
    const { markdown, warnings } = await read(readEpub, file, true);
    expect(markdown).toContain('![dot](image-1.png)');
    expect(warnings).toEqual(['1 picture was left out: too many, too large, or of an unknown type.']);
  });

  it('under protection are refused, but scrambled fonts are not', async () => {
    const protect = (uri: string): Readonly<Record<string, Uint8Array>> => ({
      'META-INF/encryption.xml': strToU8(
        `<encryption><EncryptedData><CipherData><CipherReference URI="${uri}"/></CipherData></EncryptedData></encryption>`,
      ),
    });
    await expect(read(readEpub, book('x', protect('OPS/c 1.xhtml')))).rejects.toMatchObject({ code: 'ENCRYPTED' });
    expect((await read(readEpub, book('x', protect('OPS/f.otf')))).markdown).toBe('x\n');
  });
});

describe('pages', () => {
  it('keep the encoding that they declare', async () => {
    const bytes = Buffer.concat([
      Buffer.from('<meta charset="windows-1251"><p>'),
      Buffer.from([0xcf, 0xf0, 0xe8]),
      Buffer.from('</p>'),
    ]);
    expect((await read(readHtml, new Uint8Array(bytes))).markdown).toBe('При\n');
  });

  it('keep nested lists, code and tables without a head', async () => {
    const html =
      '<ul><li><p>a</p><ol><li>b</li></ol></li></ul><table><tr><td>x</td><td><p>y</p><p>z</p></td></tr></table><!-- no -->';
    expect((await read(readHtml, strToU8(html))).markdown).toBe('- a\n  1. b\n\n| x | y z |\n| - | - |\n');
  });
});

describe('numbered lists of a Word file', () => {
  const item = (words: string, id: number, level = 0): string =>
    `<w:p><w:pPr><w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${id}"/></w:numPr></w:pPr>${words === '' ? '' : `<w:r><w:t>${words}</w:t></w:r>`}</w:p>`;
  const level = (ilvl: number, format: string, start: number): string =>
    `<w:lvl w:ilvl="${ilvl}"><w:start w:val="${start}"/><w:numFmt w:val="${format}"/></w:lvl>`;
  const numbering = `<w:numbering xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">
    <w:abstractNum w:abstractNumId="0">${level(0, 'decimal', 1)}${level(1, 'lowerLetter', 3)}</w:abstractNum>
    <w:abstractNum w:abstractNumId="1">${level(0, 'bullet', 4)}</w:abstractNum>
    <w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>
    <w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>
    <w:num w:numId="3"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride></w:num>
  </w:numbering>`;
  const relationships = relations(relation('r1', 'numbering', 'numbering.xml'));
  const markdownOf = async (body: string): Promise<string> => {
    const parts = {
      'word/document.xml': wordDocument(body),
      'word/numbering.xml': numbering,
      'word/_rels/document.xml.rels': relationships,
    };
    return (await read(readDocx, officeFile(parts))).markdown;
  };

  it('begin where the file says', async () => {
    expect(await markdownOf(item('seven', 3) + item('eight', 3))).toBe('7. seven\n8. eight\n');
  });

  it('go on after a paragraph in between', async () => {
    const body = item('one', 1) + item('two', 1) + wordText('between') + item('three', 1);
    expect(await markdownOf(body)).toBe('1. one\n2. two\n\nbetween\n\n3. three\n');
  });

  it('count each level by itself, and bullets not at all', async () => {
    const body = item('one', 1) + item('deep', 1, 1) + item('two', 1) + wordText('x') + item('dot', 2) + item('', 1);
    expect(await markdownOf(body)).toBe('1. one\n\n   3. deep\n2. two\n\nx\n\n- dot\n');
  });
});
