import { strToU8 } from 'fflate';
import { describe, expect, it } from 'vitest';
import { parseXml } from '../xml/parse-xml.js';
import { mathmlToLatex } from './mathml-latex.js';
import { ommlToLatex } from './omml-latex.js';

const xml = (text: string) => parseXml(strToU8(text), 100);
const run = (text: string): string => `<m:r><m:t>${text}</m:t></m:r>`;
const noBar = `<m:f><m:fPr><m:type m:val="noBar"/></m:fPr><m:num>${run('n')}</m:num><m:den>${run('k')}</m:den></m:f>`;
const office = (inner: string): string => ommlToLatex(xml(`<m:oMath>${inner}</m:oMath>`));
const web = (inner: string): string => mathmlToLatex(xml(`<math>${inner}</math>`));

describe('formulas of Office files', () => {
  it.each([
    [`<m:f><m:num>${run('1')}</m:num><m:den>${run('2π')}</m:den></m:f>`, '\\frac{1}{2\\pi}'],
    [`<m:sSup><m:e>${run('x')}</m:e><m:sup>${run('10')}</m:sup></m:sSup>`, 'x^{10}'],
    [`<m:rad><m:deg>${run('3')}</m:deg><m:e>${run('x')}</m:e></m:rad>`, '\\sqrt[3]{x}'],
    [
      `<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>${run('i=1')}</m:sub><m:sup>${run('n')}</m:sup><m:e>${run('i')}</m:e></m:nary>`,
      '\\sum_{i=1}^n i',
    ],
    [`<m:d><m:dPr><m:begChr m:val="["/><m:endChr m:val="]"/></m:dPr><m:e>${run('a')}</m:e></m:d>`, '[a]'],
    [`<m:acc><m:accPr><m:chr m:val="⃗"/></m:accPr><m:e>${run('v')}</m:e></m:acc>`, '\\vec{v}'],
    [
      `<m:m><m:mr><m:e>${run('a')}</m:e><m:e>${run('b')}</m:e></m:mr><m:mr><m:e>${run('c')}</m:e><m:e>${run('d')}</m:e></m:mr></m:m>`,
      '\\begin{matrix} a & b \\\\ c & d \\end{matrix}',
    ],
    [`<m:func><m:fName>${run('sin')}</m:fName><m:e>${run('x')}</m:e></m:func>`, '\\sin x'],
    [`<m:d><m:e>${noBar}</m:e></m:d>`, '\\binom{n}{k}'],
    [`<m:d><m:e>${run('a')}</m:e><m:e>${run('b')}</m:e></m:d>`, '(a|b)'],
    [
      `<m:d><m:e><m:f><m:num>${run('1')}</m:num><m:den>${run('2')}</m:den></m:f></m:e></m:d>`,
      '\\left(\\frac{1}{2}\\right)',
    ],
    [`<m:f><m:fPr><m:type m:val="lin"/></m:fPr><m:num>${run('a')}</m:num><m:den>${run('b')}</m:den></m:f>`, 'a/b'],
    [`<m:rad><m:e>${run('x')}</m:e></m:rad>`, '\\sqrt{x}'],
    [`<m:sSub><m:e>${run('x')}</m:e><m:sub>${run('i')}</m:sub></m:sSub>`, 'x_i'],
    [`<m:sSubSup><m:e>${run('x')}</m:e><m:sub>${run('i')}</m:sub><m:sup>${run('2')}</m:sup></m:sSubSup>`, 'x_i^2'],
    [`<m:sPre><m:sub>${run('6')}</m:sub><m:sup>${run('12')}</m:sup><m:e>${run('C')}</m:e></m:sPre>`, '{}_6^{12}C'],
    [`<m:limLow><m:e>${run('lim')}</m:e><m:lim>${run('n')}</m:lim></m:limLow>${run('x')}`, '\\lim_n x'],
    [`<m:limUpp><m:e>${run('x')}</m:e><m:lim>${run('n')}</m:lim></m:limUpp>`, 'x^n'],
    [`<m:limUpp><m:e>${run('x')}</m:e><m:lim>${run('¯')}</m:lim></m:limUpp>`, '\\overline{x}'],
    [`<m:acc><m:accPr><m:chr m:val="★"/></m:accPr><m:e>${run('v')}</m:e></m:acc>`, '\\overset{★}{v}'],
    [`<m:bar><m:e>${run('x')}</m:e></m:bar>`, '\\overline{x}'],
    [`<m:bar><m:barPr><m:pos m:val="bot"/></m:barPr><m:e>${run('x')}</m:e></m:bar>`, '\\underline{x}'],
    [`<m:groupChr><m:e>${run('x')}</m:e></m:groupChr>`, '\\underbrace{x}'],
    [`<m:eqArr><m:e>${run('a')}</m:e><m:e>${run('b')}</m:e></m:eqArr>`, '\\begin{aligned} a \\\\ b \\end{aligned}'],
    [`<m:r><m:rPr><m:nor/></m:rPr><m:t>if so</m:t></m:r>`, '\\text{if so}'],
    [`<m:box><m:boxPr/><m:e>${run('x')}</m:e></m:box>`, 'x'],
  ])('%s', (inner, latex) => expect(office(inner)).toBe(latex));
});

describe('MathML', () => {
  it.each([
    ['<mfrac><mi>a</mi><mn>2</mn></mfrac>', '\\frac{a}{2}'],
    ['<msubsup><mo>∫</mo><mn>0</mn><mi>T</mi></msubsup><mi>x</mi>', '\\int_0^T x'],
    ['<msqrt><mi>x</mi><mo>+</mo><mn>1</mn></msqrt>', '\\sqrt{x+1}'],
    ['<mover><mi>x</mi><mo>¯</mo></mover>', '\\overline{x}'],
    ['<mfenced><mi>a</mi><mi>b</mi></mfenced>', '\\left(a, b\\right)'],
    ['<mfenced open="[" close="]" separators=";"><mi>a</mi><mi>b</mi></mfenced>', '\\left[a; b\\right]'],
    ['<mfrac linethickness="0"><mi>n</mi><mi>k</mi></mfrac>', '\\binom{n}{k}'],
    ['<msup><mi>x</mi><mn>2</mn></msup>', 'x^2'],
    ['<msub><mi>x</mi><mn>10</mn></msub>', 'x_{10}'],
    ['<munder><mo>∑</mo><mi>i</mi></munder><mi>x</mi>', '\\sum_i x'],
    ['<munder><mi>x</mi><mi>i</mi></munder>', '\\underset{i}{x}'],
    ['<mover><mi>x</mi><mi>i</mi></mover>', '\\overset{i}{x}'],
    ['<mroot><mi>x</mi><mn>3</mn></mroot>', '\\sqrt[3]{x}'],
    ['<mi>rate</mi>', '\\mathrm{rate}'],
    ['<mtext>if so</mtext>', '\\text{if so}'],
    ['<mi>a</mi><mspace/><mi>b</mi>', 'a b'],
    [
      '<mtable><mtr><mtd><mi>a</mi></mtd><mtd><mi>b</mi></mtd></mtr><mtr><mtd><mi>c</mi></mtd><mtd><mi>d</mi></mtd></mtr></mtable>',
      '\\begin{matrix} a & b \\\\ c & d \\end{matrix}',
    ],
    ['<semantics><mi>q</mi><annotation encoding="StarMath 5.0">q</annotation></semantics>', 'q'],
    ['<mrow><mi>a</mi><annotation>b</annotation></mrow>', 'a'],
    ['<semantics><mi>q</mi><annotation encoding="application/x-tex">\\hat{q}</annotation></semantics>', '\\hat{q}'],
  ])('%s', (inner, latex) => expect(web(inner)).toBe(latex));
});
