import { createHash } from 'node:crypto';
import type { Principal } from '@plugboard/contract';

const STYLE = `
:root{color-scheme:light dark;--ground:#fff;--ink:#1b1f24;--quiet:#57606a;--line:#8c959f;--accent:#0b5cad;--on-accent:#fff;--bad:#b3261e}
@media(prefers-color-scheme:dark){:root{--ground:#12161c;--ink:#e6edf3;--quiet:#9da7b3;--line:#6e7681;--accent:#6cb6ff;--on-accent:#0d1117;--bad:#ff8a80}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:1rem;background:var(--ground);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
main{width:100%;max-width:24rem}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 .5rem}
p{margin:0 0 1rem;color:var(--quiet)}
[role=alert]{color:var(--bad);font-weight:600}
label{display:block;font-weight:600;margin-bottom:.25rem}
input,button{width:100%;font:inherit;padding:.625rem .75rem;border-radius:.375rem}
input{border:1px solid var(--line);background:transparent;color:inherit}
button{margin-top:1rem;border:0;background:var(--accent);color:var(--on-accent);font-weight:600;cursor:pointer}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
dl{display:grid;grid-template-columns:auto 1fr;gap:.25rem 1rem;margin:0 0 1rem}dt{color:var(--quiet)}dd{margin:0;overflow-wrap:anywhere}
code{font-family:ui-monospace,monospace}`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** Nothing but this page itself: no scripts, no other origins, no frames. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
  'x-content-type-options': 'nosniff',
  // Without a referrer, browsers would not say where a form comes from.
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
};

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escape = (text: string): string => text.replaceAll(/[&<>"]/gu, (character) => ESCAPES[character] ?? '');

const page = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – Plugboard</title>
<style>${STYLE}</style>
</head>
<body><main>${body}</main></body>
</html>
`;

/** Asks for a key; `problem` says why the last one did not do. */
export const loginPage = (problem?: string): string =>
  page(
    'Log in',
    `<h1>Log in to Plugboard</h1>
<p id="about">Use a key to this hub. <code>plugboard key local</code> prints the key of its owner; an admin creates others with <code>plugboard key create</code>.</p>
${problem === undefined ? '' : `<p role="alert" id="problem">${escape(problem)}</p>`}
<form method="post" action="/login">
<label for="key">Key</label>
<input id="key" name="key" type="password" required autofocus autocomplete="current-password" spellcheck="false" aria-describedby="${problem === undefined ? 'about' : 'problem about'}"${problem === undefined ? '' : ' aria-invalid="true"'}>
<button type="submit">Log in</button>
</form>`,
  );

/** Says who is logged in; `csrf` lets the page log out again. */
export const sessionPage = ({ id, role }: Principal, csrf: string): string =>
  page(
    'Logged in',
    `<h1>You are logged in</h1>
<dl><dt>As</dt><dd>${escape(id)}</dd><dt>Role</dt><dd>${escape(role)}</dd></dl>
<form method="post" action="/logout">
<input type="hidden" name="csrf" value="${escape(csrf)}">
<button type="submit">Log out</button>
</form>`,
  );
