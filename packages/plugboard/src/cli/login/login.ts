import { anySignal } from '@plugboard/base';
import { EXIT, hearHint, oauthSession, PlugboardError, type ExitCode, type OAuthSession } from '@plugboard/contract';
import type { HubAnswer, HubApi } from '../../hub-api/hub-api.js';
import { readAnswer } from '../../hub-api/read-answer.js';
import { listenForReturn, type LoopbackReturn } from './loopback-return.js';
import { agentIdOf, onBehalf } from '../../hub-api/client/on-behalf.js';
import { syncSummary } from '../render/sync-words.js';
import type { CommandContext } from '../command/command-context.js';

export interface LoginInput {
  readonly server: string;
  /** Open a browser, where there is one. */
  readonly browser: boolean;
  readonly timeout?: number | undefined;
  /** The agent that logs in, by its name or id; the hub itself when left out. */
  readonly agent?: string | undefined;
}

const DEFAULT_SECONDS = 300;
const LOOK_MS = 20_000;

const loginOf = (answer: HubAnswer): OAuthSession => readAnswer(oauthSession.loose(), answer, 'the login');

const nobodyCame = (seconds: number): PlugboardError =>
  new PlugboardError('AUTH_REQUIRED', `The login was not completed within ${seconds} s.`, {
    hint: 'Run the command again, and open the URL in a browser.',
  });

const failed = ({ error, server_name: name }: OAuthSession): PlugboardError =>
  new PlugboardError(error?.code ?? 'AUTH_REQUIRED', error?.message ?? `The login to "${name}" did not succeed.`, {
    hint: (error && hearHint(error)) ?? 'Run the command again.',
  });

interface LoginAsk {
  readonly serverId: string;
  readonly redirectUri: string | undefined;
  readonly agent: string | undefined;
}

const begin = async (api: HubApi, { serverId, redirectUri, agent }: LoginAsk): Promise<OAuthSession> => {
  const body = {
    server_id: serverId,
    ...(redirectUri === undefined ? {} : { redirect_uri: redirectUri }),
    ...(agent === undefined ? {} : { agent_id: agent }),
  };
  return loginOf(await api.request('POST', '/v1/oauth/sessions', { body }));
};

/** Resolves when somebody has logged in, whichever way they came back. */
const finished = async (
  api: HubApi,
  { id }: OAuthSession,
  { until, agent }: { readonly until: number; readonly agent: string | undefined },
): Promise<OAuthSession> => {
  for (;;) {
    const left = Math.max(0, until - performance.now());
    const path = `/v1/oauth/sessions/${id}?wait_ms=${Math.round(Math.min(left, LOOK_MS))}${onBehalf(agent, '&')}`;
    const session = loginOf(await api.request('GET', path));
    if (session.status !== 'pending' || left === 0) return session;
  }
};

/** A hub in this process cannot be reached by a browser, so the command waits for it itself and hands the answer on. */
const handOn = async (api: HubApi, back: LoopbackReturn, signal: AbortSignal): Promise<void> => {
  const query = await back.query(signal);
  await api.request('GET', `/v1/tools/mcp/oauth/callback${query}`);
};

const show = ({ process, out }: CommandContext, url: string, browser: boolean): void => {
  const opened = browser && process.stdout.isTTY && process.openUrl?.(url) === true;
  out.note(opened ? 'A browser was opened. If it was not, open this URL:' : 'Open this URL in a browser to log in:');
  out.note(url);
};

const logIn = async (context: CommandContext, input: LoginInput, back: LoopbackReturn | undefined) => {
  const client = await context.hub();
  const server = await client.server(input.server);
  const seconds = input.timeout ?? DEFAULT_SECONDS;
  const until = performance.now() + seconds * 1000;
  const agent = await agentIdOf(client.api, input.agent);
  const session = await begin(client.api, { serverId: server.id, redirectUri: back?.redirectUri, agent });
  show(context, session.authorization_url ?? '', input.browser);
  const over = new AbortController();
  const signal = anySignal(context.process.signal, over.signal);
  const handing = back === undefined ? undefined : handOn(client.api, back, signal);
  handing?.catch(() => undefined);
  try {
    const ended = await context.waiting(`Waiting for the login to ${server.server_name}`, () =>
      finished(client.api, session, { until, agent }),
    );
    if (ended.status === 'pending') throw nobodyCame(seconds);
    if (ended.status === 'error') throw failed(ended);
  } finally {
    over.abort();
  }
  return { client, server, agent };
};

export const run = async (context: CommandContext, input: LoginInput): Promise<ExitCode> => {
  const { api } = await context.hub();
  const back = api.place.kind === 'in-process' ? await listenForReturn() : undefined;
  try {
    const { client, server, agent } = await logIn(context, input, back);
    const { out } = context;
    const report = await client.sync(server.id, { dryRun: false, agent });
    out.data({ server: server.server_name, logged_in: true, sync: report });
    if (!out.quiet) out.text(`Logged in to ${out.style.bold(server.server_name)}: ${syncSummary(report)}`);
    return EXIT.ok;
  } finally {
    await back?.close();
  }
};

export interface LogoutInput {
  readonly server: string;
  /** The agent that logs out, by its name or id; the hub itself when left out. */
  readonly agent?: string | undefined;
}

export const logout = async ({ out, hub }: CommandContext, input: LogoutInput): Promise<ExitCode> => {
  const client = await hub();
  const { id, server_name: name } = await client.server(input.server);
  const agent = await agentIdOf(client.api, input.agent);
  const path = `/v1/mcp-servers/${encodeURIComponent(id)}/oauth${onBehalf(agent, '?')}`;
  const { json } = await client.api.request('DELETE', path);
  const loggedOut = (json as { readonly logged_out?: unknown } | undefined)?.logged_out === true;
  out.data({ server: name, logged_out: loggedOut });
  if (!out.quiet) out.text(loggedOut ? `Logged out of ${out.style.bold(name)}.` : `There was no login to ${name}.`);
  return EXIT.ok;
};
