import {
  attribute,
  child,
  childrenOf,
  descend,
  elements,
  localName,
  textOf,
  type XmlElement,
} from '../xml/xml-element.js';
import { accentCommand, braces, delimiter, group, latexText, tidyLatex } from './latex-symbols.js';

const valueOf = (element: XmlElement | undefined, ...path: readonly string[]): string | undefined =>
  attribute(descend(element, ...path), 'val');

const inner = (element: XmlElement | undefined): string => elements(element).map(node).join('');

const part = (element: XmlElement, name: string): string => inner(child(element, name));

const fraction = (element: XmlElement): string => {
  const [num, den] = [part(element, 'num'), part(element, 'den')];
  switch (valueOf(element, 'fPr', 'type')) {
    case 'noBar':
      return `\\binom${braces(num)}${braces(den)}`;
    case 'lin':
      return `${tidyLatex(num)}/${tidyLatex(den)}`;
    default:
      return `\\frac${braces(num)}${braces(den)}`;
  }
};

const script = (mark: '_' | '^', latex: string): string => (latex.trim() === '' ? '' : `${mark}${group(latex)}`);

const radical = (element: XmlElement): string => {
  const degree = tidyLatex(part(element, 'deg'));
  return `\\sqrt${degree === '' ? '' : `[${degree}]`}${braces(part(element, 'e'))}`;
};

const nary = (element: XmlElement): string => {
  const operator = latexText(valueOf(element, 'naryPr', 'chr') ?? '∫').trim();
  const limits = script('_', part(element, 'sub')) + script('^', part(element, 'sup'));
  return `${operator}${limits} ${part(element, 'e')}`;
};

const delimited = (element: XmlElement): string => {
  const properties = child(element, 'dPr');
  const [open, close] = [valueOf(properties, 'begChr') ?? '(', valueOf(properties, 'endChr') ?? ')'];
  const content = childrenOf(element, 'e').map(inner);
  const body = content.join(latexText(valueOf(properties, 'sepChr') ?? '|'));
  // A fraction without a bar in round brackets is a binomial, which has its own.
  if (open === '(' && content.length === 1 && body.startsWith('\\binom')) return body;
  const tall = /\\(?:frac|sum|int|prod|begin|binom|sqrt)/u.test(body) || open === '' || close === '';
  return tall
    ? `\\left${delimiter(open)}${body}\\right${delimiter(close)}`
    : `${delimiter(open)}${tidyLatex(body)}${delimiter(close)}`;
};

const accented = (element: XmlElement): string => {
  const accent = valueOf(element, 'accPr', 'chr') ?? '\u0302';
  const body = braces(part(element, 'e'));
  const command = accentCommand(accent);
  return command === undefined ? `\\overset{${latexText(accent)}}${body}` : `${command}${body}`;
};

/** LibreOffice writes accents as limits. */
const accentOver = (element: XmlElement): string | undefined => {
  const command = accentCommand(textOf(child(element, 'lim')));
  return command === undefined ? undefined : `${command}${braces(part(element, 'e'))}`;
};

const rowsOf = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => row.map(tidyLatex).join(' & ')).join(' \\\\ ');

const matrix = (element: XmlElement): string =>
  `\\begin{matrix} ${rowsOf(childrenOf(element, 'mr').map((row) => childrenOf(row, 'e').map(inner)))} \\end{matrix}`;

const equations = (element: XmlElement): string =>
  `\\begin{aligned} ${rowsOf(childrenOf(element, 'e').map((row) => [inner(row)]))} \\end{aligned}`;

const run = (element: XmlElement): string => {
  const text = textOf(child(element, 't'));
  // Upright text inside of a formula.
  if (child(child(element, 'rPr'), 'nor') !== undefined) return `\\text{${text}}`;
  return latexText(text);
};

const node = (element: XmlElement): string => {
  switch (localName(element)) {
    case 'r':
      return run(element);
    case 'f':
      return fraction(element);
    case 'sSup':
      return `${group(part(element, 'e'))}${script('^', part(element, 'sup'))}`;
    case 'sSub':
      return `${group(part(element, 'e'))}${script('_', part(element, 'sub'))}`;
    case 'sSubSup':
      return `${group(part(element, 'e'))}${script('_', part(element, 'sub'))}${script('^', part(element, 'sup'))}`;
    case 'sPre':
      return `{}${script('_', part(element, 'sub'))}${script('^', part(element, 'sup'))}${part(element, 'e')}`;
    case 'rad':
      return radical(element);
    case 'nary':
      return nary(element);
    case 'd':
      return delimited(element);
    case 'func':
      return `${part(element, 'fName')} ${part(element, 'e')}`;
    case 'limLow':
      return `${part(element, 'e').trimEnd()}${script('_', part(element, 'lim'))} `;
    case 'limUpp':
      return accentOver(element) ?? `${part(element, 'e').trimEnd()}${script('^', part(element, 'lim'))} `;
    case 'acc':
      return accented(element);
    case 'bar':
      return `\\${valueOf(element, 'barPr', 'pos') === 'bot' ? 'under' : 'over'}line${braces(part(element, 'e'))}`;
    case 'groupChr':
      return `${accentCommand(valueOf(element, 'groupChrPr', 'chr') ?? '⏟') ?? ''}${braces(part(element, 'e'))}`;
    case 'm':
      return matrix(element);
    case 'eqArr':
      return equations(element);
    default:
      return localName(element).endsWith('Pr') ? '' : inner(element);
  }
};

/** A formula of an Office file as LaTeX. */
export const ommlToLatex = (element: XmlElement): string => tidyLatex(inner(element));
