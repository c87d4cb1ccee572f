import { createHash } from 'node:crypto';
import type { CheckReport } from '@plugboard/contract';
import { callGroups } from '../words/calls.js';
import {
  byFamily,
  headlineOf,
  OUTCOMES,
  settingsOf,
  subject,
  timeOf,
  titleOfFamily,
  VERDICT_ORDER,
  VERDICTS,
} from '../words/words.js';
import { bars, ring } from './chart.js';
import { html } from './escape.js';
import { anchorOf, resultBlock } from './result.js';
import { SCRIPT } from './script.js';
import { STYLE } from './style.js';

const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const policy = `default-src 'none'; style-src ${hash(STYLE)}; script-src ${hash(SCRIPT)}; base-uri 'none'; form-action 'none'`;

const filters = (): string => {
  const boxes = VERDICT_ORDER.map(
    (verdict) =>
      `<label data-colour="${verdict}"><input type="checkbox" name="verdict" value="${verdict}"${verdict === 'not-applicable' ? '' : ' checked'}> ${VERDICTS[verdict].label}</label>`,
  );
  const select = (name: string, values: readonly string[]): string =>
    `<label>${name} <select name="${name}"><option value="">all</option>${values.map((value) => `<option>${value}</option>`).join('')}</select></label>`;
  return `<form id="filter">${boxes.join('')}${select('level', ['MUST', 'SHOULD', 'ADVICE'])}${select('era', ['legacy', 'modern', 'both'])}<label>find <input type="search" name="words"></label><output id="count"></output></form>`;
};

/** What failed, before everything else: it is what the reader came for. */
const failures = ({ results }: CheckReport): readonly string[] => {
  const failed = results.filter(({ verdict, expected }) => verdict === 'fail' && expected !== true);
  if (failed.length === 0) return [];
  const items = failed.map(
    (result) =>
      `<li><a href="#${anchorOf(result)}">${html(result.id)} ${html(headlineOf(result))}</a> (${result.era})<br>${html(result.detail ?? '')}</li>`,
  );
  return [`<nav aria-label="Failed"><ul>${items.join('')}</ul></nav>`];
};

const callSections = (report: CheckReport): readonly string[] =>
  callGroups(report).map(
    ({ title, calls }) =>
      `<details class="calls"><summary>${title}: ${calls.length}</summary><table><tr><th>what</th><th>times</th><th>why</th></tr>${calls
        .map(
          ({ kind, name, calls: times, why }) =>
            `<tr><td>${kind} ${html(name)}</td><td>${times}</td><td>${html(why)}</td></tr>`,
        )
        .join('')}</table></details>`,
  );

/** One file that needs nothing else: no request leaves the reader's browser. */
export const htmlReport = (report: CheckReport): string => {
  const title = `${subject(report)}: ${OUTCOMES[report.outcome]}`;
  const sections = [...byFamily(report.results)].map(
    ([family, results]) =>
      `<section data-family="${html(family)}"><h2>${html(titleOfFamily(family))}</h2>${results.map(resultBlock).join('\n')}</section>`,
  );
  const notes = [
    ...(report.reason === undefined ? [] : [report.reason]),
    ...report.staleBaseline.map((entry) => `The baseline names ${entry}, which does not fail any more.`),
  ];
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${html(policy)}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${html(title)}</title>`,
    `<style>${STYLE}</style></head><body>`,
    `<h1>${html(title)}</h1>`,
    `<p class="meta">${html(report.target.label)} · ${html(report.startedAt)} · ${[timeOf(report), ...settingsOf(report)].join(' · ')} · plugboard ${html(report.version)}</p>`,
    ...notes.map((note) => `<p><strong>${html(note)}</strong></p>`),
    ...failures(report),
    `<div class="charts">${ring(report.summary)}${bars(report.results)}</div>`,
    ...callSections(report),
    filters(),
    ...sections,
    `<script>${SCRIPT}</script>`,
    '</body></html>',
    '',
  ].join('\n');
};
