import type { OAuthCallbackAnswer } from '@plugboard/contract';
import { html } from '../docs-page/html.js';
import { loginPage } from './login-page.js';

/** What a person sees after a login. */
export const callbackPage = ({ status, message }: OAuthCallbackAnswer): string =>
  loginPage(status === 'success' ? 'Logged in' : 'The login did not succeed', html`<p>${message}</p>`);
