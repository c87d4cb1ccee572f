import type { LoginOpening } from '../../login/server-logins.js';
import { html } from '../docs-page/html.js';
import { loginPage } from './login-page.js';

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
    html`<p><a href="${url}">Go on to the login</a></p>`,
    html`<meta http-equiv="refresh" content="0;url=${url}" />`,
  );
