import { html, type Markup } from '../docs-page/html.js';

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:15vh auto;padding:0 1rem;color:#1a1a1a;background:#fff}h1{font-size:1.25rem}dl{display:grid;grid-template-columns:auto 1fr;gap:.25rem 1rem}dd{margin:0;overflow-wrap:anywhere}button{font:inherit;padding:.5rem 1rem}@media(prefers-color-scheme:dark){body{color:#eee;background:#161616}}';

/** A page that somebody sees during a login. */
export const loginPage = (title: string, body: Markup, head: Markup = html``): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        ${head}
        <title>${title} – Plugboard</title>
        <style>
          ${{ markup: STYLE }}
        </style>
      </head>
      <body>
        <h1>${title}</h1>
        ${body}
      </body>
    </html>`.markup;
