import type { CheckReport } from '@plugboard/contract';
import { commandOf, OUTCOMES, percent } from './words/verdict-text.js';
import { xmlText } from './xml.js';

const COLOURS: Readonly<Record<CheckReport['outcome'], string>> = {
  passed: '#2e7d32',
  failed: '#c62828',
  incomplete: '#f9a825',
  unreachable: '#616161',
  'not-examined': '#616161',
};

const textOf = ({ outcome, summary }: CheckReport): string => {
  if (outcome === 'failed') return `${summary.fail} failed`;
  if (outcome !== 'passed') return OUTCOMES[outcome];
  return summary.rate === null ? `${summary.pass} passed` : `${summary.pass} passed, ${percent(summary)}`;
};

const CHARACTER = 6.6;
const PADDING = 10;

/** A small picture for a README: what was examined, and how it came out. */
export const badge = (report: CheckReport): string => {
  const label = report.kind === undefined ? 'mcp check' : commandOf(report).replace('plugboard ', '');
  const [left, right] = [label, textOf(report)];
  const [leftWidth, rightWidth] = [left, right].map((text) => Math.round(text.length * CHARACTER + PADDING));
  const width = (leftWidth ?? 0) + (rightWidth ?? 0);
  const written = (text: string, x: number): string =>
    `<text x="${x}" y="14" text-anchor="middle">${xmlText(text)}</text>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" role="img" aria-label="${xmlText(`${left}: ${right}`)}">`,
    `<title>${xmlText(`${left}: ${right}`)}</title>`,
    `<rect width="${width}" height="20" rx="3" fill="#424242"/>`,
    `<path d="M${leftWidth} 0h${(rightWidth ?? 0) - 3}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3h-${(rightWidth ?? 0) - 3}z" fill="${COLOURS[report.outcome]}"/>`,
    `<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">${written(left, (leftWidth ?? 0) / 2)}${written(right, (leftWidth ?? 0) + (rightWidth ?? 0) / 2)}</g>`,
    '</svg>',
    '',
  ].join('\n');
};
