import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../../limits.js';
import { writeMarkdown } from '../../write/write-markdown.js';
import { readRtf } from './read-rtf.js';

const read = async (body: string, images = false) => {
  const bytes = new Uint8Array(Buffer.from(String.raw`{\rtf1\ansi ${body}}`, 'latin1'));
  const content = await readRtf(bytes, { limits: DEFAULT_LIMITS, images, progress: () => undefined });
  return { ...content, markdown: writeMarkdown(content.tree) };
};

const markdown = async (body: string): Promise<string> => (await read(body)).markdown;

const STYLES = String.raw`{\stylesheet{\s1 heading 1;}{\s2 heading 2;}{\s3 Title;}{\s4 Quote;}{\s5 HTML Preformatted;}{\*\cs9 Strong;}}`;
const FONTS = String.raw`{\fonttbl{\f0 Times;}{\f1 Courier New;}{\f2\fmodern Fixed;}}`;

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe('text in RTF', () => {
  it.each([
    [String.raw`a {\b bold} b`, 'a **bold** b\n'],
    [String.raw`a \i slanted\i0  b`, 'a *slanted* b\n'],
    [String.raw`{\strike gone} kept`, '~~gone~~ kept\n'],
    [String.raw`x{\super 2} H{\sub 2}O`, 'x<sup>2</sup> H<sub>2</sub>O\n'],
    [String.raw`x{\up6 2} H{\dn6 2}O`, 'x<sup>2</sup> H<sub>2</sub>O\n'],
    [String.raw`x\super 2\nosupersub  y`, 'x<sup>2</sup> y\n'],
    [String.raw`\b bold\plain  not`, '**bold** not\n'],
    [String.raw`one\line two`, 'one\\\ntwo\n'],
    ['one\\\ntwo', 'one\n\ntwo\n'],
    [String.raw`\ldblquote q\rdblquote\emdash\lquote r\rquote`, '“q”—‘r’\n'],
    [String.raw`\u8364?5 \uc0\u8364 6`, '€5 €6\n'],
    [String.raw`\u8364\'805`, '€5\n'],
    [String.raw`\u8364\emdash 5`, '€5\n'],
    [String.raw`\ansicpg1251\'cf\'f0`, 'Пр\n'],
    [String.raw`\ansicpg65001\'c3\'a9`, 'é\n'],
    [String.raw`\ansicpg99999\'e9`, 'é\n'],
    [String.raw`a\~b\_c\{d\}`, 'a\u00A0b\u2011c{d}\n'],
    [String.raw`seen {\v unseen }after`, 'seen after\n'],
    [String.raw`a{\*\unknown secret}{\header Top} b`, 'a b\n'],
    [String.raw`a\bin3 }}}b`, 'ab\n'],
  ])('%s', async (body, expected) => expect(await markdown(body)).toBe(expected));

  it('takes its title from its properties', async () => {
    expect(await read(String.raw`{\info{\author A}{\title The title}}Words`)).toMatchObject({
      title: 'The title',
      markdown: 'Words\n',
    });
  });

  it('keeps links that are safe and the words of those that are not', async () => {
    const link = (address: string): string => String.raw`{\field{\*\fldinst HYPERLINK "${address}"}{\fldrslt here}}`;
    expect(await markdown(link('https://example.com/a'))).toBe('[here](https://example.com/a)\n');
    expect(await markdown(link('javascript:alert(1)'))).toBe('here\n');
  });

  it('leaves out deleted passages and embedded objects, and says so', async () => {
    const { markdown: words, warnings } = await read(String.raw`kept {\deleted dropped}{\object{\*\objdata 00ff}}\par`);
    expect(words).toBe('kept\n');
    expect(warnings).toEqual(['1 deleted passage was left out.', '1 embedded object was left out.']);
  });

  it('hands out pictures that are wanted', async () => {
    const picture = String.raw`before {\*\shppict{\pict\pngblip ${PNG.toString('hex')}}}`;
    const { markdown: words, images } = await read(picture, true);
    expect(words).toBe('before ![](image-1.png)\n');
    expect(images).toMatchObject([{ name: 'image-1.png', mediaType: 'image/png' }]);
    expect(await read(picture)).toMatchObject({ markdown: 'before\n', images: [] });
  });

  it('that is nested without end is refused', async () => {
    await expect(async () => read('{'.repeat(3000))).rejects.toMatchObject({ code: 'TOO_DEEP' });
  });
});

describe('blocks in RTF', () => {
  it('are headings by style or by outline level', async () => {
    const body = String.raw`${STYLES}\pard\s3 {\b Name}\par\pard\s2 Part\par\pard\outlinelevel2 Deep\par\pard\outlinelevel9 Body\par`;
    expect(await markdown(body)).toBe('# Name\n\n## Part\n\n### Deep\n\nBody\n');
  });

  it('are quotations by style', async () => {
    expect(await markdown(String.raw`${STYLES}\pard\s4 Said\par\pard Plain\par`)).toBe('> Said\n\nPlain\n');
  });

  it('are one listing when lines of code follow each other', async () => {
    const byStyle = String.raw`${STYLES}\pard\s5 if x:\par   go()\par\pard Done\par`;
    expect(await markdown(byStyle)).toBe('```\nif x:\n  go()\n```\n\nDone\n');
    const byFont = String.raw`${FONTS}\f1 one\line two\par\f2 three\par\f0 Done\par`;
    expect(await markdown(byFont)).toBe('```\none\ntwo\nthree\n```\n\nDone\n');
  });

  it('have code inside of a line where its type is of equal width', async () => {
    expect(await markdown(String.raw`${FONTS}\f0 Run {\f1 npm} now`)).toBe('Run `npm` now\n');
  });

  it('are lists by their labels and levels', async () => {
    const item = (label: string, level: number, words: string): string =>
      String.raw`{\listtext ${label}\tab}\pard\ilvl${level} ${words}\par`;
    const body = item(String.raw`\bullet`, 0, 'a') + item('3.', 1, 'b') + item('4.', 1, 'c');
    expect(await markdown(`${body}\\pard End`)).toBe('- a\n\n  3. b\n  4. c\n\nEnd\n');
  });

  it('are lists when labels were typed before a tab in lines that hang out', async () => {
    const body = String.raw`\pard\li360\fi-360 {\b 1.}\tab one\par\pard\li720\fi-360 -\tab inner\par\pard\li360\fi-360 2.\tab two\par`;
    expect(await markdown(body)).toBe('1. one\n   - inner\n2. two\n');
    expect(await markdown(String.raw`\pard\fi-360 Words\tab more\par`)).toBe('Words more\n');
  });

  it('are tables, whose cells hold several lines as one', async () => {
    const body = String.raw`Before\par\trowd\cellx1\cellx2 {\b Name}\cell Size\cell\row\trowd one\par two\cell a\line b\cell\row\pard\par After\par`;
    expect(await markdown(body)).toBe('Before\n\n| Name | Size |\n| - | - |\n| one two | a b |\n\nAfter\n');
  });

  it('end a table that was never ended, and one before a list', async () => {
    expect(await markdown(String.raw`\trowd a\cell b\cell`)).toBe('| a | b |\n| - | - |\n');
    const list = String.raw`{\pntext \bullet\tab}item\par`;
    expect(await markdown(String.raw`\trowd a\cell\row\pard ${list}\trowd b\cell\row`)).toBe(
      '| a |\n| - |\n\n- item\n\n| b |\n| - |\n',
    );
  });

  it('have footnotes with blocks of their own', async () => {
    expect(await markdown(String.raw`Words{\footnote The {\i note}.} go on{\footnote Second.}.\par`)).toBe(
      'Words[^1] go on[^2].\n\n[^1]: The *note*.\n\n[^2]: Second.\n',
    );
  });
});
