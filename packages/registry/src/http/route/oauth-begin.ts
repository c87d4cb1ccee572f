import { HUB_LOGIN, PlugboardError } from '@plugboard/contract';
import type { Context } from 'hono';
import type { LoginOpening } from '../../login/server-logins.js';
import type { AdminContext } from '../admin-context.js';
import { endpoint, type Endpoint } from '../endpoint/endpoint.js';
import { beginPage, onwardPage, LOGIN_PAGE_HEADERS } from '../view/login-page.js';

const COOKIE_PATH = '/v1/tools/mcp/oauth';

const gone = (): PlugboardError =>
  new PlugboardError('NOT_FOUND', 'This login has ended or does not exist.', { hint: 'Start the login again.' });

const openingOf = async ({ registry }: AdminContext, id: string): Promise<LoginOpening> => {
  const opening = await registry.logins?.opening(id);
  if (opening === undefined) throw gone();
  return opening;
};

/** The browser is sent back here by a page of the authorization server, so the cookie has to come with such a link. */
const cookieOf = ({ cookie, maxAgeSeconds }: LoginOpening, url: string): string => {
  const secure = new URL(url).protocol === 'https:' ? '; Secure' : '';
  return `${cookie.name}=${cookie.value}; Max-Age=${maxAgeSeconds}; Path=${COOKIE_PATH}; HttpOnly; SameSite=Lax${secure}`;
};

/** Whose login it becomes, in words. */
const whoseOf = async ({ registry }: AdminContext, { holder }: LoginOpening): Promise<string> => {
  if (holder === HUB_LOGIN) return 'everybody who uses this hub';
  const agents = await registry.agents.list();
  const agent = agents.find(({ id }) => id === holder);
  return agent === undefined ? holder : `the agent "${agent.name}"`;
};

const isBrowser = (c: Context): boolean => c.req.header('accept')?.includes('text/html') === true;

/** Where a login begins in a browser: the person sees for whom it is, and the browser is known when it comes back. */
export const oauthBeginRoutes = (admin: AdminContext): readonly Endpoint[] => [
  endpoint(
    {
      id: 'openLogin',
      method: 'get',
      path: '/v1/oauth/login/{session_id}',
      tag: 'oauth',
      summary: 'Open a login in a browser',
      description:
        'The `authorization_url` of a login. In a browser, the page shows who the login is for and continues when the person agrees. Programs are redirected at once. The cookie set here is needed to complete the login.',
      answers: {
        200: { description: 'A page that asks whether to continue.', mediaType: 'text/html' },
        302: { description: 'The URL at which the login continues.' },
      },
      errors: ['NOT_FOUND'],
    },
    async ({ params }, c) => {
      const opening = await openingOf(admin, params.session_id);
      if (!isBrowser(c)) {
        return c.body(null, 302, { Location: opening.url, 'Set-Cookie': cookieOf(opening, c.req.url) });
      }
      return c.body(beginPage({ ...opening, whose: await whoseOf(admin, opening) }), 200, {
        ...LOGIN_PAGE_HEADERS,
        'Content-Security-Policy': `${LOGIN_PAGE_HEADERS['Content-Security-Policy']}; form-action 'self'`,
        // Without a referrer, browsers would not say where the form comes from.
        'Referrer-Policy': 'same-origin',
      });
    },
  ),
  endpoint(
    {
      id: 'continueLogin',
      method: 'post',
      path: '/v1/oauth/login/{session_id}',
      tag: 'oauth',
      summary: 'Continue a login in a browser',
      description:
        'The login page sends this when the person agrees. Requests from pages of other origins are rejected.',
      answers: { 200: { description: 'A page that leads to the authorization server.', mediaType: 'text/html' } },
      errors: ['NOT_FOUND'],
    },
    async ({ params }, c) => {
      const opening = await openingOf(admin, params.session_id);
      return c.body(onwardPage(opening), 200, {
        ...LOGIN_PAGE_HEADERS,
        'Set-Cookie': cookieOf(opening, c.req.url),
        'Referrer-Policy': 'no-referrer',
      });
    },
  ),
];
