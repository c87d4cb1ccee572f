import { FakeServer } from '@plugboard/testing';
import {
  AuthorizationServerDouble,
  protectResource,
  type AuthorizationServerOptions,
  type ProtectedResource,
  type ProtectedResourceOptions,
} from '@plugboard/testing/oauth';
import { onTestFinished } from 'vitest';
import type { Logger } from '../../../packages/plugboard/src/log/logger.js';
import type { Settings } from '../../../packages/plugboard/src/settings/settings.js';
import { callEcho, type ErrorAnswer, SERVER_NAME, type ToolAnswer, urlIn } from '../../support/echo-call.js';
import { logInWithBrowser } from '../../support/browser-login.js';
import { hubCallWith } from '../../support/hub-call.js';
import { startRealHub, type RealHub } from '../../support/real-hub.js';

export interface OAuthRigOptions {
  readonly authorization?: AuthorizationServerOptions;
  readonly resource?: Partial<Omit<ProtectedResourceOptions, 'server' | 'authorization'>>;
  readonly settings?: Partial<Settings>;
  readonly log?: Logger;
  readonly eras?: 'legacy' | 'modern';
  /** Whoever registers servers and reads their tools, where the hub wants keys. */
  readonly adminKey?: string;
}

export interface OAuthRig {
  readonly hub: RealHub;
  readonly fake: FakeServer;
  readonly authorization: AuthorizationServerDouble;
  readonly resource: ProtectedResource;
  /** Registers the protected server; its first sync is refused, because nobody has logged in. */
  readonly register: (oauth?: object, name?: string) => Promise<{ readonly id: string; readonly sync: SyncAnswer }>;
  readonly echo: (text: string, url?: string) => Promise<ToolAnswer>;
  /** Logs in like a person whom an error sent to a URL. */
  readonly login: (authorizationUrl: string) => Promise<CallbackAnswer>;
  /** Registers, logs in and reads the tools. Resolves with the id of the server. */
  readonly enter: (oauth?: object) => Promise<string>;
}

interface SyncAnswer {
  readonly status: string;
  readonly error?: ErrorAnswer;
}

export interface CallbackAnswer {
  readonly status: 'success' | 'error';
  readonly message: string;
}

/** A hub, a server that wants OAuth, and its authorization server; all are closed when the test ends. */
export const oauthRig = async (options: OAuthRigOptions = {}): Promise<OAuthRig> => {
  const authorization = await AuthorizationServerDouble.start(options.authorization);
  onTestFinished(() => authorization.close());
  const fake = new FakeServer({ tools: ['echo'], eras: options.eras ?? 'legacy' });
  const resource = await protectResource({ server: fake, authorization, ...options.resource });
  onTestFinished(() => resource.close());
  const hub = await startRealHub({
    ...(options.settings === undefined ? {} : { settings: options.settings }),
    ...(options.log === undefined ? {} : { log: options.log }),
  });
  onTestFinished(() => hub.close());
  const asAdmin = hubCallWith(hub.url, options.adminKey ?? hub.key);
  const rig: OAuthRig = {
    hub,
    fake,
    authorization,
    resource,
    register: async (oauth, name = SERVER_NAME) => {
      const config = {
        mcp_server_type: 'streamable_http',
        server_url: resource.url,
        ...(oauth === undefined ? {} : { oauth }),
      };
      const { status, json } = await asAdmin('POST', '/v1/mcp-servers', { server_name: name, config });
      if (status !== 200) throw new Error(`registering failed: ${status} ${JSON.stringify(json)}`);
      return json as { id: string; sync: SyncAnswer };
    },
    echo: (text, url = hub.url) => callEcho(url, text),
    login: async (authorizationUrl) => {
      const answer = await logInWithBrowser(authorizationUrl, authorization);
      return (await answer.json()) as CallbackAnswer;
    },
    enter: async (oauth) => {
      const { id, sync } = await rig.register(oauth);
      await rig.login(urlIn(sync.error));
      await asAdmin('PATCH', `/v1/mcp-servers/${id}/refresh`);
      return id;
    },
  };
  return rig;
};
