import { attribute, elements, localName, textOf, type XmlElement } from '../xml/xml-element.js';
import { accentCommand, braces, delimiter, group, latexText, tidyLatex } from './latex-symbols.js';

const inner = (element: XmlElement | undefined): string => elements(element).map(node).join('');

const LARGE = /^\\(?:sum|prod|coprod|int|iint|iiint|oint|bigcup|bigcap|bigvee|bigwedge|lim|max|min|sup|inf)\s*$/u;

const parts = (element: XmlElement): readonly string[] => elements(element).map(node);

const scripts = (element: XmlElement, marks: readonly ('_' | '^')[]): string => {
  const [base = '', ...rest] = parts(element);
  const head = LARGE.test(base) ? base.trim() : group(base);
  const tail = rest.map((latex, index) => `${marks[index] ?? '^'}${group(latex)}`).join('');
  return `${head}${tail}${LARGE.test(base) ? ' ' : ''}`;
};

const overOrUnder = (element: XmlElement, mark: '_' | '^'): string => {
  const [base, accent] = elements(element);
  const command = accentCommand(textOf(accent));
  if (base !== undefined && command !== undefined) return `${command}${braces(node(base))}`;
  const [head = '', limit = ''] = parts(element);
  if (LARGE.test(head)) return `${head.trim()}${mark}${group(limit)} `;
  return `\\${mark === '_' ? 'under' : 'over'}set${braces(limit)}${braces(head)}`;
};

const fenced = (element: XmlElement): string => {
  const [open, close] = [attribute(element, 'open') ?? '(', attribute(element, 'close') ?? ')'];
  const separator = (attribute(element, 'separators') ?? ',').trim().charAt(0);
  return `\\left${delimiter(open)}${parts(element).map(tidyLatex).join(`${separator} `)}\\right${delimiter(close)}`;
};

const rows = (element: XmlElement): string =>
  `\\begin{matrix} ${elements(element)
    .map((row) =>
      elements(row)
        .map((cell) => tidyLatex(inner(cell)))
        .join(' & '),
    )
    .join(' \\\\ ')} \\end{matrix}`;

const fraction = (element: XmlElement): string => {
  const [num = '', den = ''] = parts(element);
  const bare = (attribute(element, 'linethickness') ?? '').startsWith('0');
  return `\\${bare ? 'binom' : 'frac'}${braces(num)}${braces(den)}`;
};

const node = (element: XmlElement): string => {
  const text = (): string => textOf(element).trim();
  switch (localName(element)) {
    case 'mi':
      return /^[A-Za-z]{2,}$/u.test(text()) && latexText(text()) === text() ? `\\mathrm{${text()}}` : latexText(text());
    case 'mn':
    case 'mo':
      return latexText(text());
    case 'mtext':
      return `\\text{${textOf(element)}}`;
    case 'mspace':
      return ' ';
    case 'mfrac':
      return fraction(element);
    case 'msup':
      return scripts(element, ['^']);
    case 'msub':
      return scripts(element, ['_']);
    case 'msubsup':
    case 'munderover':
      return scripts(element, ['_', '^']);
    case 'munder':
      return overOrUnder(element, '_');
    case 'mover':
      return overOrUnder(element, '^');
    case 'msqrt':
      return `\\sqrt${braces(inner(element))}`;
    case 'mroot': {
      const [base = '', degree = ''] = parts(element);
      return `\\sqrt[${tidyLatex(degree)}]${braces(base)}`;
    }
    case 'mfenced':
      return fenced(element);
    case 'mtable':
      return rows(element);
    case 'semantics':
      return elements(element).slice(0, 1).map(node).join('');
    case 'annotation':
    case 'annotation-xml':
      return '';
    default:
      return inner(element);
  }
};

const texOf = (element: XmlElement): string | undefined => {
  if (localName(element) === 'annotation') {
    return /tex/iu.test(attribute(element, 'encoding') ?? '') ? textOf(element).trim() : undefined;
  }
  return elements(element)
    .map(texOf)
    .find((tex) => tex !== undefined);
};

/** A MathML formula as LaTeX: as its author wrote it, where the formula says so itself. */
export const mathmlToLatex = (element: XmlElement): string => texOf(element) ?? tidyLatex(inner(element));
