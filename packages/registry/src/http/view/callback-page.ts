import type { OAuthCallbackAnswer } from '@plugboard/contract';
import { html } from '../docs-page/html.js';

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:20vh auto;padding:0 1rem;color:#1a1a1a;background:#fff}h1{font-size:1.25rem}@media(prefers-color-scheme:dark){body{color:#eee;background:#161616}}';

/** What a person sees after a login. */
export const callbackPage = ({ status, message }: OAuthCallbackAnswer): string => {
  const title = status === 'success' ? 'Logged in' : 'The login did not succeed';
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>${title} – Plugboard</title>
        <style>
          ${{ markup: STYLE }}
        </style>
      </head>
      <body>
        <h1>${title}</h1>
        <p>${message}</p>
      </body>
    </html>`.markup;
};
