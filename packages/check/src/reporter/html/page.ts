import { createHash } from 'node:crypto';
import type { CheckReport, CheckEvidence, CheckResult, CheckTranscriptEntry } from '@plugboard/contract';
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
  qualifiers,
} from '../words/verdict-text.js';
import { bars, ring } from './chart.js';
import { html, webLink } from './escape.js';
import { STYLE } from './style.js';

const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

// Runs in the reader's browser: it only shows and hides what is already there.
const SCRIPT = `
(()=>{
const form=document.getElementById('filter'),items=[...document.querySelectorAll('details[data-verdict]')],count=document.getElementById('count');
const apply=()=>{
const verdicts=new Set([...form.querySelectorAll('input[name=verdict]:checked')].map((box)=>box.value));
const level=form.elements.level.value,era=form.elements.era.value,words=form.elements.words.value.toLowerCase();
let shown=0;
for(const item of items){
const visible=verdicts.has(item.dataset.verdict)&&(level===''||item.dataset.level===level)&&(era===''||item.dataset.era===era)&&(words===''||item.textContent.toLowerCase().includes(words));
item.hidden=!visible;
if(visible)shown+=1;
}
for(const section of document.querySelectorAll('section[data-family]'))section.hidden=!section.querySelector('details:not([hidden])');
count.textContent=shown+' of '+items.length;
};
form.addEventListener('input',apply);
form.addEventListener('submit',(event)=>event.preventDefault());
apply();
})();
`;

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

const entry = ({ at, connection, direction, text, bytes }: CheckTranscriptEntry): string => {
  const more = bytes === undefined ? '' : ` … ${bytes} bytes`;
  return `<span class="${direction}">${at.toFixed(1)} ms #${connection} ${direction === 'sent' ? '→' : direction === 'received' ? '←' : '·'} ${html(text.trimEnd())}${more}</span>`;
};

const part = (title: string, content: string): string => `<dt>${title}</dt><dd>${content}</dd>`;

/** What was said, after everything that tells the reader what to do: it may be long. */
const proof = ({ reproduce, sent, received, transcript }: CheckEvidence): string =>
  [
    ...(reproduce === undefined ? [] : [part('Repeat it with', `<pre>${html(reproduce)}</pre>`)]),
    ...(sent === '' ? [] : [part('Sent', `<pre>${html(sent)}</pre>`)]),
    ...(received === '' ? [] : [part('Received', `<pre>${html(received)}</pre>`)]),
    ...(transcript.length === 0 ? [] : [part('Transcript', `<pre>${transcript.map(entry).join('\n')}</pre>`)]),
  ].join('');

/** Where a check is on the page. */
const anchorOf = ({ id, era }: Pick<CheckResult, 'id' | 'era'>): string => html(`${id}-${era}`);

/** One check, folded unless it failed. */
const resultBlock = (result: CheckResult): string => {
  const { id, verdict, level, era, detail, supply, evidence, source, remedy } = result;
  const known = result.expected === true ? ', in the baseline' : '';
  const open = verdict === 'fail' && result.expected !== true ? ' open' : '';
  const link = webLink(source.url);
  const quoted = `<blockquote>${html(source.sentence)}</blockquote>${link === '' ? '' : `<a href="${link}" rel="noreferrer">${link}</a>`}`;
  return [
    `<details id="${anchorOf(result)}" class="${verdict}" data-verdict="${verdict}" data-level="${level}" data-era="${era}"${open}>`,
    `<summary><span class="id">${VERDICTS[verdict].glyph} ${html(id)}</span><span>${html(headlineOf(result))}</span><span class="tags">${qualifiers(result)}${known}</span></summary>`,
    '<div class="body"><dl>',
    ...(evidence === undefined ? [] : [part('Expected', html(evidence.expected))]),
    ...(detail === undefined ? [] : [part(evidence === undefined ? 'Detail' : 'Got', html(detail))]),
    ...(supply === undefined ? [] : [part('To have it judged, supply', html(supply))]),
    ...(evidence === undefined ? [] : [part('Fix', html(remedy))]),
    part('Source', quoted),
    ...(evidence === undefined ? [] : [proof(evidence)]),
    '</dl></div></details>',
  ].join('');
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
    ...report.staleBaseline.map((entry) => `The baseline names ${entry}, which no longer fails.`),
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
