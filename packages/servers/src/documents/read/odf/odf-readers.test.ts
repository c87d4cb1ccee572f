import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../../limits.js';
import type { DocumentReader } from '../../tree/document-reader.js';
import { writeMarkdown } from '../../write/write-markdown.js';
import { readOdp } from './read-odp.js';
import { readOdt } from './read-odt.js';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

type Parts = Readonly<Record<string, string | Uint8Array>>;

const archive = (parts: Parts): Uint8Array =>
  zipSync(
    Object.fromEntries(
      Object.entries(parts).map(([name, part]) => [name, typeof part === 'string' ? strToU8(part) : part]),
    ),
  );

const content = (kind: string, body: string, styles = ''): string =>
  `<office:document-content><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`;

const read = async (reader: DocumentReader, parts: Parts, { images = false, limits = DEFAULT_LIMITS } = {}) => {
  const found = await reader(archive(parts), { limits, images, progress: () => undefined });
  return { ...found, markdown: writeMarkdown(found.tree) };
};

const odt = async (body: string, styles = '', more: Parts = {}, images = false) =>
  read(readOdt, { 'content.xml': content('text', body, styles), ...more }, { images });

const odp = async (body: string, styles = '', more: Parts = {}, images = false) =>
  read(readOdp, { 'content.xml': content('presentation', body, styles), ...more }, { images });

const style = (name: string, properties: string, parent = ''): string =>
  `<style:style style:name="${name}"${parent === '' ? '' : ` style:parent-style-name="${parent}"`}><style:text-properties ${properties}/></style:style>`;

const NUMBERED =
  '<text:list-style style:name="L"><text:list-level-style-number text:level="1" style:num-format="1"/><text:list-level-style-bullet text:level="2"/></text:list-style>';

const item = (inner: string, more = ''): string => `<text:list-item${more}>${inner}</text:list-item>`;
const p = (words: string, name = ''): string =>
  `<text:p${name === '' ? '' : ` text:style-name="${name}"`}>${words}</text:p>`;

describe('words of OpenDocument text', () => {
  const span = (name: string, words: string): string => `<text:span text:style-name="${name}">${words}</text:span>`;

  it.each([
    ['fo:font-weight="bold"', '**x**'],
    ['fo:font-weight="700"', '**x**'],
    ['fo:font-weight="normal"', 'x'],
    ['fo:font-style="oblique"', '*x*'],
    ['style:text-line-through-style="solid"', '~~x~~'],
    ['style:font-name="DejaVu Sans Mono"', '`x`'],
    ['style:text-position="super 58%"', '<sup>x</sup>'],
    ['style:text-position="-33% 58%"', '<sub>x</sub>'],
    ['style:text-position="0% 100%"', 'x'],
  ])('%s', async (properties, expected) => {
    expect((await odt(p(`a${span('T', 'x')}b`), style('T', properties))).markdown).toBe(`a${expected}b\n`);
  });

  it('look as the ancestors of their style, even when these go round in circles', async () => {
    const styles = style('A', 'fo:font-weight="bold"', 'B') + style('B', 'fo:font-style="italic"', 'A');
    expect((await odt(p(`a ${span('A', 'x')}`), styles)).markdown).toBe('a **_x_**\n');
  });

  it('are code by the name of their style', async () => {
    expect((await odt(p(`Run ${span('Source_20_Text', 'npm')}`))).markdown).toBe('Run `npm`\n');
  });

  it('keep safe links, breaks and spaces, and no hints on how they are read aloud', async () => {
    const link = (href: string): string => `<text:a xlink:href="${href}">here</text:a>`;
    expect((await odt(p(link('https://example.com/')))).markdown).toBe('[here](https://example.com/)\n');
    expect((await odt(p(link('#part') + link('javascript:x')))).markdown).toBe('herehere\n');
    expect((await odt(p('a<text:line-break/>b<text:s/>c<text:soft-page-break/>'))).markdown).toBe('a\\\nb c\n');
    const ruby = '<text:ruby><text:ruby-base>kanji</text:ruby-base><text:ruby-text>x</text:ruby-text></text:ruby>';
    expect((await odt(p(ruby))).markdown).toBe('kanji\n');
  });

  it('have footnotes', async () => {
    const note = `<text:note text:id="n7"><text:note-citation>1</text:note-citation><text:note-body>${p('Why.')}</text:note-body></text:note>`;
    expect((await odt(p(`Words${note}.`))).markdown).toBe('Words[^1].\n\n[^1]: Why.\n');
  });

  it('say what was left out', async () => {
    const changes =
      '<text:tracked-changes><text:changed-region><text:deletion/></text:changed-region><text:changed-region><text:insertion/></text:changed-region></text:tracked-changes>';
    const comment = '<office:annotation><text:p>note</text:p></office:annotation><office:annotation-end/>';
    const object = '<draw:frame><draw:object-ole/></draw:frame>';
    const { markdown, warnings } = await odt(changes + p(`a${comment}${object}`));
    expect(markdown).toBe('a\n');
    expect(warnings).toEqual([
      '1 comment was left out.',
      '1 deleted passage was left out.',
      '1 embedded object was left out.',
    ]);
  });
});

describe('blocks of OpenDocument text', () => {
  it('are headings, titles and sections', async () => {
    const head = `<text:h text:outline-level="2">Part</text:h><text:h text:outline-level="2"> </text:h>`;
    const section = `<text:section>${p('inside')}</text:section>`;
    expect((await odt(p('Name', 'Title') + head + section)).markdown).toBe('# Name\n\n## Part\n\ninside\n');
  });

  it('are one listing or quotation when they follow each other', async () => {
    const code = p('if x:', 'C') + p('<text:s text:c="2"/>go()<text:line-break/>end', 'C');
    const quote = p('one', 'Quotations') + p('two', 'Quotations');
    expect((await odt(code + quote, style('C', '', 'Preformatted_20_Text'))).markdown).toBe(
      '```\nif x:\n  go()\nend\n```\n\n> one\n>\n> two\n',
    );
  });

  it('are lists that nest and go on', async () => {
    const list = (inner: string, more = ''): string => `<text:list text:style-name="L"${more}>${inner}</text:list>`;
    const nested = `<text:list>${item(p('inner'))}</text:list>`;
    const body = list(item(p('one') + nested) + item(p('two'))) + p('between');
    expect((await odt(body + list(item(p('three')), ' text:continue-numbering="true"'), NUMBERED)).markdown).toBe(
      '1. one\n   - inner\n2. two\n\nbetween\n\n3. three\n',
    );
    expect((await odt(list(item(p('five'), ' text:start-value="5"')), NUMBERED)).markdown).toBe('5. five\n');
  });

  it('are tables with repeated and covered cells, and lists in cells', async () => {
    const cell = (inner: string, more = ''): string => `<table:table-cell${more}>${inner}</table:table-cell>`;
    const head = `<table:table-header-rows><table:table-row>${cell(p('A'))}${cell(p('B'))}</table:table-row></table:table-header-rows>`;
    const rows =
      `<table:table-row>${cell(p('x'), ' table:number-columns-repeated="2"')}</table:table-row>` +
      `<table:table-row>${cell(`<text:list>${item(p('a'))}${item(p('b<text:line-break/>c'))}</text:list>`)}<table:covered-table-cell/></table:table-row>`;
    expect((await odt(`<table:table>${head}${rows}</table:table>`)).markdown).toBe(
      '| A | B |\n| - | - |\n| x | x |\n| a b c | |\n',
    );
  });

  it('follow the paragraph on which their box hangs', async () => {
    const box = `<draw:frame><draw:text-box>${p('boxed')}</draw:text-box></draw:frame>`;
    expect((await odt(p(`words${box}`) + p(box) + box)).markdown).toBe('words\n\nboxed\n\nboxed\n\nboxed\n');
  });
});

describe('frames of OpenDocument text', () => {
  const math = '<math:math><math:mfrac><math:mi>a</math:mi><math:mn>2</math:mn></math:mfrac></math:math>';
  const object = '<draw:frame><draw:object xlink:href="./Object 1"/></draw:frame>';
  const image =
    '<draw:frame><draw:image xlink:href="Pictures/dot.png"/><svg:title>Other</svg:title><svg:desc>A dot</svg:desc></draw:frame>';

  it('hold formulas, in a line or alone', async () => {
    const parts = { 'Object 1/content.xml': math };
    expect((await odt(p(object), '', parts)).markdown).toBe('$$\n\\frac{a}{2}\n$$\n');
    expect((await odt(p(`so ${object} is`), '', parts)).markdown).toBe('so $\\frac{a}{2}$ is\n');
    expect((await odt(p(`so <draw:frame><draw:object>${math}</draw:object></draw:frame>`))).markdown).toBe(
      'so $\\frac{a}{2}$\n',
    );
  });

  it('hold objects that cannot be read', async () => {
    const { markdown, warnings } = await odt(p(`chart ${object}`), '', { 'Object 1/content.xml': '<chart/>' });
    expect(markdown).toBe('chart\n');
    expect(warnings).toEqual(['1 embedded object was left out.']);
  });

  it('hold pictures, handed out or named', async () => {
    const parts = { 'Pictures/dot.png': PNG };
    const wanted = await odt(p(image), '', parts, true);
    expect(wanted.markdown).toBe('![A dot](image-1.png)\n');
    expect(wanted.images).toMatchObject([{ name: 'image-1.png', mediaType: 'image/png' }]);
    expect((await odt(p(image), '', parts)).markdown).toBe('\\[Image: A dot]\n');
  });
});

describe('OpenDocument presentations', () => {
  const page = (inner: string, name = 'dp1'): string => `<draw:page draw:style-name="${name}">${inner}</draw:page>`;
  const frame = (inner: string, role = '', y = 0): string =>
    `<draw:frame svg:y="${y}cm"${role === '' ? '' : ` presentation:class="${role}"`}><draw:text-box>${inner}</draw:text-box></draw:frame>`;

  it('have a heading for each slide and are read from top to bottom', async () => {
    const first = page(frame(p('low'), '', 9) + frame(p('high'), '', 1) + frame(p('My') + p('title'), 'title', 5));
    const { markdown, pages } = await odp(first + page(frame(p('7'), 'page-number') + frame(p('x'))));
    expect(markdown).toBe('## My title\n\nhigh\n\nlow\n\n## Slide 2\n\nx\n');
    expect(pages).toBe(2);
  });

  it('leave out hidden slides and say so', async () => {
    const hidden =
      '<style:style style:name="dp2"><style:drawing-page-properties presentation:visibility="hidden"/></style:style>';
    const { markdown, warnings } = await odp(page(frame(p('seen'))) + page(frame(p('not')), 'dp2'), hidden);
    expect(markdown).toBe('## Slide 1\n\nseen\n');
    expect(warnings).toEqual(['1 hidden slide was left out.']);
  });

  it('keep groups, shapes, tables and pictures', async () => {
    const group = `<draw:g>${frame(p('in group'))}<draw:custom-shape svg:y="2cm">${p('in shape')}</draw:custom-shape></draw:g>`;
    const table = `<draw:frame svg:y="3cm"><table:table><table:table-row><table:table-cell>${p('cell')}</table:table-cell></table:table-row></table:table></draw:frame>`;
    const picture = `<draw:frame svg:y="4cm"><draw:image xlink:href="Pictures/dot.png"/></draw:frame>`;
    const { markdown } = await odp(page(group + table + picture), '', { 'Pictures/dot.png': PNG }, true);
    expect(markdown).toBe('## Slide 1\n\nin group\n\nin shape\n\n| cell |\n| - |\n\n![](image-1.png)\n');
  });

  it('have the notes of the speaker as a quotation', async () => {
    const notes = `<presentation:notes>${frame(p('Say hello'), 'notes')}${frame(p('3'), 'page-number')}</presentation:notes>`;
    expect((await odp(page(frame(p('x')) + notes))).markdown).toBe('## Slide 1\n\nx\n\n> Say hello\n');
  });

  it('join lists of one item each into one', async () => {
    const list = (inner: string): string => `<text:list>${inner}</text:list>`;
    const deep = (words: string): string => list(item(list(item(p(words)))));
    const body = list(item(p('a'))) + deep('b') + deep('c') + list(item(p('d')));
    expect((await odp(page(frame(body)))).markdown).toBe('## Slide 1\n\n- a\n  - b\n  - c\n- d\n');
  });

  it('of more slides than allowed are refused', async () => {
    const parts = { 'content.xml': content('presentation', page('') + page('')) };
    await expect(read(readOdp, parts, { limits: { ...DEFAULT_LIMITS, pages: 1 } })).rejects.toMatchObject({
      code: 'TOO_LARGE',
    });
  });
});

describe('OpenDocument files', () => {
  const body = content('text', p('x'));

  it('take their title from their properties', async () => {
    const meta =
      '<office:document-meta><office:meta><dc:title> Greeting </dc:title></office:meta></office:document-meta>';
    expect(await odt(p('x'), '', { 'meta.xml': meta })).toMatchObject({ title: 'Greeting', markdown: 'x\n' });
  });

  it.each<[string, Parts, string]>([
    ['without content', { 'styles.xml': '<a/>' }, 'DAMAGED'],
    ['of another kind', { 'content.xml': content('presentation', '') }, 'DAMAGED'],
    ['whose XML is broken', { 'content.xml': '<' }, 'DAMAGED'],
    ['with declarations', { 'content.xml': `<!DOCTYPE a>${body}` }, 'XML_REFUSED'],
    ['with macros', { 'content.xml': body, 'Basic/script.xml': '<a/>' }, 'MACROS_REFUSED'],
    [
      'with a password',
      {
        'content.xml': body,
        'META-INF/manifest.xml': '<manifest:manifest><manifest:encryption-data/></manifest:manifest>',
      },
      'ENCRYPTED',
    ],
  ])('%s are refused', async (_what, parts, code) => {
    await expect(async () => read(readOdt, parts)).rejects.toMatchObject({ code });
  });
});
