import type { CheckResult, CheckSummary, CheckVerdict } from '@plugboard/contract';
import { byFamily, percent, titleOfFamily, VERDICT_ORDER, VERDICTS } from '../words/verdict-text.js';
import { html } from './escape.js';

const COUNTS: Readonly<Record<CheckVerdict, Exclude<keyof CheckSummary, 'rate'>>> = {
  pass: 'pass',
  fail: 'fail',
  warn: 'warn',
  'not-verified': 'notVerified',
  'not-applicable': 'notApplicable',
};

const RADIUS = 60;
const CIRCLE = 2 * Math.PI * RADIUS;

/** A ring of the verdicts. */
export const ring = (summary: CheckSummary): string => {
  let turned = 0;
  const arcs = VERDICT_ORDER.map((verdict) => {
    const share = summary.total === 0 ? 0 : (summary[COUNTS[verdict]] / summary.total) * CIRCLE;
    const arc = `<circle class="v-${verdict}" cx="80" cy="80" r="${RADIUS}" fill="none" stroke-width="24" stroke-dasharray="${share.toFixed(2)} ${(CIRCLE - share).toFixed(2)}" stroke-dashoffset="${(-turned).toFixed(2)}" transform="rotate(-90 80 80)"><title>${summary[COUNTS[verdict]]} ${VERDICTS[verdict].label}</title></circle>`;
    turned += share;
    return share === 0 ? '' : arc;
  });
  const label = `${summary.pass} of ${summary.pass + summary.fail + summary.warn}`;
  return `<svg viewBox="0 0 160 160" width="160" height="160" role="img" aria-label="${label} judged checks passed">${arcs.join('')}<text x="80" y="78" text-anchor="middle" class="big">${percent(summary)}</text><text x="80" y="98" text-anchor="middle" class="small">${label}</text></svg>`;
};

const ROW = 22;
const LEFT = 210;
const WIDTH = 420;

const bar = (results: readonly CheckResult[], most: number, y: number): string => {
  let x = LEFT;
  return VERDICT_ORDER.map((verdict) => {
    const count = results.filter((result) => result.verdict === verdict).length;
    const width = (count / most) * WIDTH;
    const piece = `<rect class="v-${verdict}" x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${ROW - 6}"><title>${count} ${VERDICTS[verdict].label}</title></rect>`;
    x += width;
    return count === 0 ? '' : piece;
  }).join('');
};

/** A bar per family that was judged; the others would only push the findings down the page. */
export const bars = (results: readonly CheckResult[]): string => {
  const families = [...byFamily(results)].filter(([, own]) => own.some(({ verdict }) => verdict !== 'not-applicable'));
  const most = Math.max(1, ...families.map(([, own]) => own.length));
  const rows = families.map(([family, own], index) => {
    const y = index * ROW + 2;
    return `<text x="${LEFT - 8}" y="${y + 13}" text-anchor="end" class="label">${html(titleOfFamily(family))}</text>${bar(own, most, y)}<text x="${LEFT + (own.length / most) * WIDTH + 6}" y="${y + 13}" class="label">${own.length}</text>`;
  });
  const height = families.length * ROW + 4;
  return `<svg viewBox="0 0 ${LEFT + WIDTH + 40} ${height}" width="${LEFT + WIDTH + 40}" height="${height}" role="img" aria-label="Verdicts by family">${rows.join('')}</svg>`;
};
