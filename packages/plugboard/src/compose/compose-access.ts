import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Http2Bindings, HttpBindings } from '@hono/node-server';
import { isLoopbackHost } from '@plugboard/base';
import { createGuardedFetch, type UrlGuard } from '@plugboard/client';
import type { SessionKeeping } from '@plugboard/contract';
import type { Admit, createAdminApp, Registry } from '@plugboard/registry';
import { sharedNetwork } from '../upstream/config/server-network.js';
import type { Settings } from '../settings/settings.js';
import { AccessGate } from '../access/credential/access-gate.js';
import { Callers } from '../access/callers.js';
import { type ClientAddress, clientAddress } from '../access/client-address.js';
import { RequestAccess } from '../access/request-access.js';
import { METADATA_PATH, resourceMetadata } from '../access/resource-metadata.js';
import { SessionRoutes } from '../access/session-routes.js';
import { Throttle } from '../access/credential/throttle.js';
import { createVerifyToken } from '../access/credential/verify-token.js';
import { SignInLinks } from '../access/browser/sign-in-links.js';
import { KeptWebSessions } from '../access/browser/kept-web-sessions.js';
import { WebSessions } from '../access/browser/web-sessions.js';
import type { Fleet } from '../fleet/fleet.js';

export interface AccessParts {
  readonly settings: Settings;
  readonly registry: Registry;
  readonly urls: UrlGuard;
  /** The key of commands on this machine; a new one when left out. */
  readonly localKey?: string | undefined;
  /** Marks sessions of browsers, and says where requests came from that another process passed on. */
  readonly fleet?: Pick<Fleet, 'mark' | 'clientOf'> | undefined;
  /** Where sessions of browsers are kept. */
  readonly keeping: SessionKeeping;
  /** Called when a session of a browser could not be kept. */
  readonly onUnsaved: (error: unknown) => void;
}

type Bindings = HttpBindings | Http2Bindings;

/** The hub listens with node:http only. */
const incomingOf = (env: Bindings): IncomingMessage => env.incoming as IncomingMessage;

type AdminApp = ReturnType<typeof createAdminApp>;

export interface ComposedAccess {
  readonly gate: AccessGate;
  readonly callers: Callers;
  readonly requestAccess: RequestAccess;
  /** Where people log in with a browser. */
  readonly sessionRoutes: SessionRoutes;
  readonly resource: object | undefined;
  readonly admit: Admit;
  readonly localKey: string;
  readonly addressOf: ClientAddress;
  openSignInLink(): string;
  /** The admin API for callers from outside, who are told how to come back when they are refused. */
  challenging(admin: AdminApp): (request: Request, env: Bindings) => Promise<Response>;
  listensAt(url: string): void;
  /** Resolves when the sessions of browsers are written. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** Who may use the hub, from its settings and its keys. */
export const composeAccess = ({
  settings,
  registry,
  urls,
  fleet,
  keeping,
  onUnsaved,
  ...parts
}: AccessParts): ComposedAccess => {
  const { oauth, required, adminKey, maxFailures, trustProxy } = settings.access;
  const documents = createGuardedFetch(urls, sharedNetwork(settings.network));
  let base = settings.publicUrl;
  const localKey = parts.localKey ?? `pb_local_${randomBytes(32).toString('base64url')}`;
  const callers = new Callers(registry);
  const gate = new AccessGate({
    keys: registry.keys,
    throttle: new Throttle({ now: Date.now, maxFailures }),
    required,
    reachable: !isLoopbackHost(settings.host) && !settings.insecure,
    adminKey,
    localKey,
    verifyToken: oauth === undefined ? undefined : createVerifyToken(oauth, documents.fetch),
  });
  const metadataUrl = (): string | undefined =>
    oauth === undefined || base === undefined ? undefined : base + METADATA_PATH;
  const kept = new KeptWebSessions({ keeping, onFailure: onUnsaved });
  const sessions = new WebSessions({ now: Date.now, mark: fleet?.mark, kept, localKey });
  const links = new SignInLinks({ now: Date.now, key: localKey });
  const { publicUrl } = settings;
  const addressOf = clientAddress(trustProxy, (request) => fleet?.clientOf(request));
  const requestAccess = new RequestAccess({ gate, callers, sessions, addressOf, metadataUrl, publicUrl });
  return {
    gate,
    callers,
    requestAccess,
    sessionRoutes: new SessionRoutes({
      requestAccess,
      sessions,
      links,
      addressOf,
      audit: registry.audit,
      publicUrl,
      now: Date.now,
    }),
    resource: oauth === undefined ? undefined : resourceMetadata(oauth),
    localKey,
    addressOf,
    openSignInLink: () => links.open(),
    admit: (operation, c) => requestAccess.admit(incomingOf(c.env as Bindings), operation.id),
    challenging: (admin) => async (request, env) => {
      const response = await admin.fetch(request, env);
      const challenge = requestAccess.challengeFor(incomingOf(env), response.status);
      if (challenge !== undefined) response.headers.set('WWW-Authenticate', challenge);
      return response;
    },
    listensAt: (url) => {
      base ??= url;
    },
    flush: () => sessions.flush(),
    close: () => documents.close(),
  };
};
