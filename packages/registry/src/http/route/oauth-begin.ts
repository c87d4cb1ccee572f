import { HUB_LOGIN, PlugboardError } from '@plugboard/contract';
import type { Context } from 'hono';
import type { LoginOpening } from '../../login/server-logins.js';
import type { AdminContext } from '../admin-context.js';
import { endpoint, type Endpoint } from '../endpoint/endpoint.js';
import { beginPage, onwardPage } from '../view/begin-page.js';
import { LOGIN_PAGE_HEADERS } from '../view/login-page-headers.js';

const COOKIE_PATH = '/v1/tools/mcp/oauth';

const gone = (): PlugboardError =>
  new PlugboardError('NOT_FOUND', 'This login is over, or there never was one.', { hint: 'Begin it again.' });

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
        'The `authorization_url` of a login leads here. A browser shows for whom the login is and goes on when the person agrees; programs are sent on at once. The cookie that is set is needed at the end of the login.',
      answers: {
        200: { description: 'A page that asks whether to go on.', mediaType: 'text/html' },
        302: { description: 'Where the login goes on.' },
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
      summary: 'Go on with a login in a browser',
      description: 'What the page of a login sends when the person agrees. Pages of other origins are refused.',
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
