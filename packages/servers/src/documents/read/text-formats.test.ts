import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { convert, type Conversion, type ConvertedDocument } from '../convert/convert.js';
import { DEFAULT_LIMITS } from '../limits.js';
import { officeFile, wordDocument } from '../test-support/office-file.js';

const run = (
  fileName: string,
  bytes: Uint8Array | string,
  options: Partial<Conversion> = {},
): Promise<ConvertedDocument> =>
  convert(
    {
      bytes: typeof bytes === 'string' ? strToU8(bytes) : bytes,
      hints: { fileName },
      output: 'markdown',
      tables: true,
      images: false,
      limits: DEFAULT_LIMITS,
      ...options,
    },
    () => undefined,
  );

const markdown = async (fileName: string, bytes: Uint8Array | string): Promise<string> =>
  (await run(fileName, bytes)).text;

const odt = (body: string, more: Readonly<Record<string, string>> = {}, declaration = ''): Uint8Array =>
  zipSync({
    mimetype: [strToU8('application/vnd.oasis.opendocument.text'), { level: 0 }],
    'content.xml': strToU8(
      `${declaration}<office:document-content><office:automatic-styles>
        <text:list-style style:name="N"><text:list-level-style-number text:level="1" style:num-format="1"/></text:list-style>
      </office:automatic-styles><office:body><office:text>${body}</office:text></office:body></office:document-content>`,
    ),
    ...Object.fromEntries(Object.entries(more).map(([name, text]) => [name, strToU8(text)])),
  });

describe('web pages', () => {
  const page =
    '<p>10<sup>6</sup> m of H<sub>2</sub>O.<sup><a href="#n1" id="r1">1</a></sup></p>' +
    '<math display="inline"><msup><mi>x</mi><mn>2</mn></msup></math>' +
    '<ol><li id="n1">The note. <a href="#r1">back</a></li></ol>';

  it('keep raised and lowered text, formulas and notes', async () => {
    expect(await markdown('a.html', page)).toBe(
      '10<sup>6</sup> m of H<sub>2</sub>O.[^1]\n\n$x^2$\n\n[^1]: The note.\n',
    );
  });

  it('keep them as text and as HTML, too', async () => {
    expect((await run('a.html', page, { output: 'text' })).text).toBe('10⁶ m of H₂O.[1]\n\nx^2\n\n[1] The note.\n');
    const { text } = await run('a.html', page, { output: 'html' });
    expect(text).toContain('10<sup>6</sup> m of H<sub>2</sub>O.');
    expect(text).toContain('\\(x^2\\)');
    expect(text).toContain('The note.');
  });

  it('escape dollar signs only where there are formulas', async () => {
    expect(await markdown('a.html', '<p>It costs $5 or $6.</p>')).toBe('It costs $5 or $6.\n');
    expect(await markdown('a.html', '<p>It costs $5: <math><mi>x</mi></math></p>')).toBe('It costs \\$5: $x$\n');
  });
});

describe('Word files', () => {
  it('have headings without the anchors of their table of contents', async () => {
    const heading =
      '<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:bookmarkStart w:id="1" w:name="_Toc1"/><w:r><w:t>Start</w:t></w:r><w:bookmarkEnd w:id="1"/></w:p>';
    const entry = '<w:p><w:hyperlink w:anchor="_Toc1"><w:r><w:t>Start 1</w:t></w:r></w:hyperlink></w:p>';
    expect(await markdown('a.docx', officeFile({ 'word/document.xml': wordDocument(entry + heading) }))).toBe(
      'Start 1\n\n# Start\n',
    );
  });

  it('name what they lose', async () => {
    const body = '<w:p><w:r><w:t>Text</w:t></w:r><w:del w:id="2"><w:r><w:delText>gone</w:delText></w:r></w:del></w:p>';
    const { text, warnings } = await run(
      'a.docx',
      officeFile({
        'word/document.xml': wordDocument(body),
        'word/comments.xml': '<w:comments><w:comment w:id="1"/><w:comment w:id="2"/></w:comments>',
      }),
    );
    expect(text).toBe('Text\n');
    expect(warnings).toEqual(['2 comments were left out.', '1 deleted passage was left out.']);
  });
});

describe('OpenDocument text', () => {
  it('counts on, nests, and keeps notes', async () => {
    const item = (words: string): string => `<text:list-item><text:p>${words}</text:p></text:list-item>`;
    const text = await markdown(
      'a.odt',
      odt(
        `<text:list text:style-name="N">${item('one')}${item('two')}</text:list>` +
          '<text:p>between<text:note text:id="f"><text:note-body><text:p>below</text:p></text:note-body></text:note></text:p>' +
          `<text:list text:style-name="N" text:continue-numbering="true">${item('three')}</text:list>`,
      ),
    );
    expect(text).toBe('1. one\n2. two\n\nbetween[^1]\n\n3. three\n\n[^1]: below\n');
  });

  it.each([
    ['a password', odt('', { 'META-INF/manifest.xml': '<manifest:encryption-data/>' }), 'ENCRYPTED'],
    ['macros', odt('', { 'Basic/Standard/Module1.xml': '<x/>' }), 'MACROS_REFUSED'],
    ['entities', odt('<text:p>&x;</text:p>', {}, '<!DOCTYPE d [<!ENTITY x "y">]>'), 'XML_REFUSED'],
    ['a name that leads out', odt('', { '../content.xml': 'x' }), 'ARCHIVE_REFUSED'],
    ['deep nesting', odt(`${'<text:section>'.repeat(500)}${'</text:section>'.repeat(500)}`), 'TOO_DEEP'],
    ['nothing in it', odt(''), 'EMPTY'],
  ])('with %s is refused', async (_what, bytes, code) => {
    await expect(run('a.odt', bytes)).rejects.toMatchObject({ code });
  });
});

describe('Rich Text', () => {
  it('keeps letters of every kind, looks, links and notes', async () => {
    const text = await markdown(
      'a.rtf',
      String.raw`{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Arial;}}\pard Gr\'fc\'dfe {\b bold} \u8364? m{\super 2}{\v hidden} ` +
        String.raw`{\field{\*\fldinst HYPERLINK "https://a.example/"}{\fldrslt a link}}{\field{\*\fldinst HYPERLINK "javascript:x"}{\fldrslt  words}}` +
        String.raw`{\footnote below}\par}`,
    );
    expect(text).toBe('Grüße **bold** € m<sup>2</sup> [a link](https://a.example/) words[^1]\n\n[^1]: below\n');
  });

  it('is refused when it is nested too deeply', async () => {
    await expect(run('a.rtf', `{\\rtf1 ${'{'.repeat(5000)}`)).rejects.toMatchObject({ code: 'TOO_DEEP' });
  });

  it('is read to its end, however it is broken', async () => {
    expect(await markdown('a.rtf', '{\\rtf1 }}}} still here \\bin99999999 x')).toContain('still here');
  });
});

describe('notebooks and data', () => {
  const cell = (cell_type: string, source: string | string[], outputs: object[] = []) => ({
    cell_type,
    source,
    outputs,
  });

  it('show text, code and what the code printed', async () => {
    const notebook = {
      nbformat: 4,
      metadata: { kernelspec: { language: 'python' } },
      cells: [
        cell('markdown', ['# Title\n', 'words']),
        cell('code', 'print(1)', [
          { output_type: 'stream', text: ['\u001B[31m1\u001B[0m\n'] },
          {
            output_type: 'execute_result',
            data: { 'text/html': '<table><tr><th>a</th></tr><tr><td>2</td></tr></table>' },
          },
          { output_type: 'display_data', data: { 'application/x-plot': {} } },
        ]),
      ],
    };
    const { text, warnings } = await run('a.ipynb', JSON.stringify(notebook));
    expect(text).toBe('# Title\n\nwords\n\n```python\nprint(1)\n```\n\n```text\n1\n```\n\n| a |\n| - |\n| 2 |\n');
    expect(warnings).toEqual(['1 outputs of cells were left out: they have no text form.']);
    await expect(run('a.ipynb', '{"cells": 1}')).rejects.toMatchObject({ code: 'DAMAGED' });
  });

  it('stay data', async () => {
    expect(await markdown('a.json', '{"a": 1}')).toBe('```json\n{"a": 1}\n```\n');
    expect((await run('a.json', '{"a": ')).warnings).toEqual(['The text is not valid JSON.']);
    expect(await markdown('a.xml', '<a>1</a>')).toBe('```xml\n<a>1</a>\n```\n');
  });
});
