import type { CheckEvidence, CheckResult, CheckTranscriptEntry } from '@plugboard/contract';
import { headlineOf, qualifiers, VERDICTS } from '../words/words.js';
import { html, webLink } from './escape.js';

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
export const anchorOf = ({ id, era }: Pick<CheckResult, 'id' | 'era'>): string => html(`${id}-${era}`);

/** One check, folded unless it failed. */
export const resultBlock = (result: CheckResult): string => {
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
