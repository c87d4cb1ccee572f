import { strToU8 } from 'fflate';
import { describe, expect, it } from 'vitest';
import { parseXml } from '../xml/parse-xml.js';
import { mathmlToLatex } from './mathml-latex.js';
import { ommlToLatex } from './omml-latex.js';

const xml = (text: string) => parseXml(strToU8(text), 100);
const run = (text: string): string => `<m:r><m:t>${text}</m:t></m:r>`;
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
  ])('%s', (inner, latex) => expect(office(inner)).toBe(latex));
});

describe('MathML', () => {
  it.each([
    ['<mfrac><mi>a</mi><mn>2</mn></mfrac>', '\\frac{a}{2}'],
    ['<msubsup><mo>∫</mo><mn>0</mn><mi>T</mi></msubsup><mi>x</mi>', '\\int_0^T x'],
    ['<msqrt><mi>x</mi><mo>+</mo><mn>1</mn></msqrt>', '\\sqrt{x+1}'],
    ['<mover><mi>x</mi><mo>¯</mo></mover>', '\\overline{x}'],
    ['<mfenced><mi>a</mi><mi>b</mi></mfenced>', '\\left(a, b\\right)'],
    ['<semantics><mi>q</mi><annotation encoding="application/x-tex">\\hat{q}</annotation></semantics>', '\\hat{q}'],
  ])('%s', (inner, latex) => expect(web(inner)).toBe(latex));
});
