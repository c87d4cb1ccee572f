import { html, type Markup } from '../docs-page/html.js';
import type { OAuthCallbackAnswer } from '@plugboard/contract';
import type { LoginOpening } from '../../login/server-logins.js';

/** Nothing but the page itself: no scripts, no frames around it. */
export const LOGIN_PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
  'Cache-Control': 'no-store',
};

type Facts = Pick<LoginOpening, 'serverName' | 'issuer'> & {
  /** Who will use the login. */
  readonly whose: string;
};

/** Asks a person whether this login is theirs. */
export const beginPage = ({ serverName, issuer, whose }: Facts): string =>
  loginPage(
    'Log in to a server',
    html`<p>You are about to log in with your own account. The caller named below will then act on your behalf.</p>
      <dl>
        <dt>Server</dt>
        <dd>${serverName}</dd>
        <dt>You log in at</dt>
        <dd>${issuer}</dd>
        <dt>Used by</dt>
        <dd>${whose}</dd>
      </dl>
      <p><strong>Go on only if you started this yourself.</strong> If somebody sent you this link, close the window.</p>
      <form method="post"><button type="submit">Continue</button></form>`,
  );

/** Leads on to the authorization server. A redirect would count as part of the form, which may stay here only. */
export const onwardPage = ({ url }: Pick<LoginOpening, 'url'>): string =>
  loginPage(
    'One moment',
    html`<p><a href="${url}">Continue to the login</a></p>`,
    html`<meta http-equiv="refresh" content="0;url=${url}" />`,
  );

/** What a person sees after a login. */
export const callbackPage = ({ status, message }: OAuthCallbackAnswer): string =>
  loginPage(status === 'success' ? 'Logged in' : 'The login did not succeed', html`<p>${message}</p>`);

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:15vh auto;padding:0 1rem;color:#1a1a1a;background:#fff}h1{font-size:1.25rem}dl{display:grid;grid-template-columns:auto 1fr;gap:.25rem 1rem}dd{margin:0;overflow-wrap:anywhere}button{font:inherit;padding:.5rem 1rem}@media(prefers-color-scheme:dark){body{color:#eee;background:#161616}}';

/** A page that somebody sees during a login. */
const loginPage = (title: string, body: Markup, head: Markup = html``): string =>
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
