import { createHash } from 'node:crypto';
import { html } from '../../reporter/html/escape.js';
import { STYLE } from '../../reporter/html/style.js';

const OWN_STYLE = `${STYLE}
.charts{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,30rem),1fr))}
.charts svg{width:100%}
svg .title{font:600 14px system-ui,sans-serif;fill:var(--ink)}
svg .grid{stroke:var(--line)}
.line{fill:none;stroke-width:2}
.line.a{stroke:var(--pass)}.line.b{stroke:var(--nv)}.line.c{stroke:var(--warn)}.line.d{stroke:var(--fail)}
.key.a,.dot.a{fill:var(--pass)}.key.b,.dot.b{fill:var(--nv)}.key.c,.dot.c{fill:var(--warn)}.key.d,.dot.d{fill:var(--fail)}
.scroll{overflow-x:auto}
table{border-collapse:collapse;margin:.5rem 0;font-size:.8rem}
td,th{padding:.2rem .35rem;border-bottom:1px solid var(--line);text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
th{white-space:normal;overflow-wrap:normal;word-break:normal;vertical-align:bottom}
td:first-child,th:first-child{text-align:left}
ul.verdicts,ul.errors{margin:.5rem 0;padding:0;list-style:none}
li.not-measured{opacity:.75}
li.pass{color:var(--pass)}li.fail{color:var(--fail)}
`;

const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(OWN_STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'`;

/** One file that needs nothing else, and runs no script. */
export const chartPage = (title: string, body: readonly string[]): string =>
  [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${html(policy)}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${html(title)}</title>`,
    `<style>${OWN_STYLE}</style></head><body>`,
    `<h1>${html(title)}</h1>`,
    ...body,
    '</body></html>',
    '',
  ].join('\n');
