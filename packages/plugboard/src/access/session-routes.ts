import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isLoopbackHost } from '@plugboard/base';
import { PlugboardError, type Principal, toPlugboardError, type WebSessionView } from '@plugboard/contract';
import type { Registry } from '@plugboard/registry';
import { MAX_FORM_BYTES, readBody } from '../http/request-body.js';
import { jsonReply, type Reply } from '../http/reply.js';
import type { RequestAccess } from './request-access.js';
import { loginPage, PAGE_HEADERS, sessionPage } from './browser/login-page.js';
import type { ClientAddress } from './client-address.js';
import { assertOwnPage } from './browser/own-page.js';
import type { RouteId } from './route-roles.js';
import { sameSecret } from './credential/same-secret.js';
import { endedCookie, sessionCookie, sessionTokenIn } from './browser/session-cookie.js';
import type { SignInLinks } from './browser/sign-in-links.js';
import type { WebSession, WebSessions } from './browser/web-sessions.js';

export interface SessionRoutesParts {
  readonly requestAccess: RequestAccess;
  readonly sessions: WebSessions;
  readonly links: SignInLinks;
  readonly addressOf: ClientAddress;
  readonly audit: Pick<Registry['audit'], 'record'>;
  readonly publicUrl: string | undefined;
  readonly now: () => number;
}

type Routes = Readonly<Record<string, RouteId>>;

const ROUTES: Readonly<Record<string, Routes>> = {
  'v1/session': { GET: 'session show', POST: 'session open', DELETE: 'session close' },
  login: { GET: 'login page', POST: 'login form' },
  logout: { POST: 'logout form' },
};

const MAX_KEY_LENGTH = 8192;
const FORM = { maxBytes: MAX_FORM_BYTES };

const noKey = (): PlugboardError =>
  new PlugboardError('INVALID_ARGUMENT', 'The body must be a JSON object with the key as "key".', {
    hint: 'For example: {"key": "pb_…"}',
  });

const deadLink = (): PlugboardError =>
  new PlugboardError('UNAUTHENTICATED', 'This sign-in link was already used, has expired, or is for another machine.', {
    hint: {
      api: 'Sign in with a key instead.',
      cli: 'Sign in with a key: `plugboard key local` prints the key of the owner of this hub.',
    },
  });

/** What somebody signs in with: a key, or the secret of a link that the hub printed. */
type Proof = { readonly key: string } | { readonly link: string };

const proofIn = (text: string): Proof => {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw noKey();
  }
  const { key, link } = (typeof body === 'object' && body !== null ? body : {}) as Readonly<Record<string, unknown>>;
  const usable = (value: unknown): value is string =>
    typeof value === 'string' && value !== '' && value.length <= MAX_KEY_LENGTH;
  if (usable(key)) return { key };
  if (usable(link)) return { link };
  throw noKey();
};

const htmlReply = (status: number, body: string, headers: Reply['headers'] = {}): Reply => ({
  status,
  headers: { ...PAGE_HEADERS, ...headers },
  body,
});

const redirect = (location: string, cookie: string): Reply => htmlReply(303, '', { location, 'set-cookie': cookie });

/** What the page shows to anybody with the cookie: it proves a logout, and nothing else. */
const logoutProof = ({ csrf }: WebSession): string => createHmac('sha256', csrf).update('logout').digest('base64url');

/** Where people log in with a browser and out again: `/v1/session` for programs in it, `/login` for everybody. */
export class SessionRoutes {
  readonly #parts: SessionRoutesParts;
  readonly #secure: boolean;

  constructor(parts: SessionRoutesParts) {
    this.#parts = parts;
    this.#secure = parts.publicUrl?.startsWith('https:') === true;
  }

  serves(segments: readonly string[]): boolean {
    return Object.hasOwn(ROUTES, segments.join('/'));
  }

  async answer(request: IncomingMessage, segments: readonly string[]): Promise<Reply> {
    const routes = ROUTES[segments.join('/')] ?? {};
    const method = request.method === 'HEAD' ? 'GET' : (request.method ?? 'GET');
    const route = routes[method];
    if (route === undefined) {
      const allow = Object.keys(routes).join(', ');
      const error = new PlugboardError('METHOD_NOT_ALLOWED', `This path accepts ${allow}.`, { hint: `Use ${allow}.` });
      return jsonReply(405, { error: error.toJSON() }, { allow });
    }
    return this.#perform(route, request);
  }

  async #perform(route: RouteId, request: IncomingMessage): Promise<Reply> {
    switch (route) {
      case 'session open':
        return this.#open(request);
      case 'session show':
        return this.#show(request);
      case 'session close':
        return this.#close(request);
      case 'login page':
        return this.#page(request);
      case 'login form':
        return this.#submit(request);
      default:
        return this.#leave(request);
    }
  }

  async #open(request: IncomingMessage): Promise<Reply> {
    // A form cannot send this type, so that no page of somebody else can log a browser in.
    if (request.headers['content-type']?.split(';')[0]?.trim().toLowerCase() !== 'application/json') throw noKey();
    assertOwnPage(request, this.#parts.publicUrl);
    const key = this.#keyFor(request, proofIn(await readBody(request, FORM)));
    const { principal, cookie, session } = await this.#logIn(request, key);
    return jsonReply(201, this.#view(principal, session), { 'set-cookie': cookie, 'cache-control': 'no-store' });
  }

  #keyFor(request: IncomingMessage, proof: Proof): string {
    if ('key' in proof) return proof.key;
    const { links, addressOf } = this.#parts;
    const key = isLoopbackHost(addressOf(request)) ? links.redeem(proof.link) : undefined;
    if (key === undefined) throw deadLink();
    return key;
  }

  async #show(request: IncomingMessage): Promise<Reply> {
    await this.#parts.requestAccess.identify(request);
    const principal = this.#parts.requestAccess.admit(request, 'session show');
    return jsonReply(200, this.#view(principal, await this.#sessionOf(request)), { 'cache-control': 'no-store' });
  }

  async #close(request: IncomingMessage): Promise<Reply> {
    await this.#parts.requestAccess.identify(request);
    const { id } = this.#parts.requestAccess.admit(request, 'session close');
    this.#end(request, id);
    return { status: 204, headers: { 'set-cookie': endedCookie(this.#secure) }, body: '' };
  }

  async #page(request: IncomingMessage): Promise<Reply> {
    const session = await this.#sessionOf(request);
    const principal = session === undefined ? undefined : await this.#holder(request, session);
    return session === undefined || principal === undefined
      ? htmlReply(200, loginPage())
      : htmlReply(200, sessionPage(principal, logoutProof(session)));
  }

  async #submit(request: IncomingMessage): Promise<Reply> {
    assertOwnPage(request, this.#parts.publicUrl);
    const key = new URLSearchParams(await readBody(request, FORM)).get('key')?.trim() ?? '';
    try {
      const { cookie } = await this.#logIn(request, key);
      return redirect('/login', cookie);
    } catch (thrown) {
      const error = toPlugboardError(thrown);
      if (error.code !== 'UNAUTHENTICATED' && error.code !== 'RATE_LIMITED') throw thrown;
      return htmlReply(error.httpStatus, loginPage(error.message));
    }
  }

  /** A form has no header to prove itself with, so the proof is one of its fields. */
  async #leave(request: IncomingMessage): Promise<Reply> {
    assertOwnPage(request, this.#parts.publicUrl);
    const session = await this.#sessionOf(request);
    const given = new URLSearchParams(await readBody(request, FORM)).get('csrf') ?? '';
    if (session !== undefined && !sameSecret(given, logoutProof(session))) {
      throw new PlugboardError('ORIGIN_REFUSED', 'The form does not belong to this session.', {
        hint: 'Open /login and log out there.',
      });
    }
    // Nothing ends for somebody without a session, and nothing is written down.
    if (session !== undefined) this.#end(request, (await this.#holder(request, session))?.id ?? 'unknown');
    return redirect('/login', endedCookie(this.#secure));
  }

  async #holder(request: IncomingMessage, { credential }: WebSession): Promise<Principal | undefined> {
    return this.#parts.requestAccess.holderOf(request, credential.reveal()).catch(() => undefined);
  }

  async #logIn(request: IncomingMessage, key: string) {
    const { requestAccess, sessions, now } = this.#parts;
    const principal = await requestAccess.holderOf(request, key);
    this.#forget(request);
    const { token, session } = sessions.open(key);
    this.#record('openSession', principal.id);
    const maxAge = Math.floor((session.expiresAt - now()) / 1000);
    return { principal, session, cookie: sessionCookie(token, this.#secure, maxAge) };
  }

  #end(request: IncomingMessage, actor: string): void {
    this.#forget(request);
    this.#record('closeSession', actor);
  }

  #forget(request: IncomingMessage): void {
    const token = sessionTokenIn(request.headers.cookie, this.#secure);
    if (token !== undefined) this.#parts.sessions.close(token);
  }

  async #sessionOf(request: IncomingMessage): Promise<WebSession | undefined> {
    const token = sessionTokenIn(request.headers.cookie, this.#secure);
    return token === undefined ? undefined : this.#parts.sessions.find(token);
  }

  #view({ id, role, agent }: Principal, session: WebSession | undefined): WebSessionView {
    return {
      principal: id,
      role,
      agent_id: agent ?? null,
      csrf_token: session?.csrf ?? null,
      expires_at: session === undefined ? null : new Date(session.expiresAt).toISOString(),
    };
  }

  #record(action: string, actor: string): void {
    const { audit, now } = this.#parts;
    const at = new Date(now()).toISOString();
    audit.record({
      at,
      kind: 'admin',
      actor,
      action,
      target: '/v1/session',
      outcome: 'ok',
      duration_ms: 0,
      details: {},
    });
  }
}
