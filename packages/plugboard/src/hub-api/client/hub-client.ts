import {
  PlugboardError,
  type ServerCreate,
  type ServerLogEntry,
  type ServerLogQuery,
  type ServerUpdate,
  type ServerView,
  type SyncReport,
  type ToolUpdate,
  type ToolView,
} from '@plugboard/contract';
import { z } from 'zod';
import { logAnswer, serverAnswer, syncAnswer, toolAnswer } from './answer-shape.js';
import type { HubAnswer, HubApi } from '../hub-api.js';
import { readAnswer } from '../read-answer.js';
import { didYouMean } from '../../terminal/did-you-mean.js';

const SERVERS = '/v1/mcp-servers';
const PAGE = 500;

const everyPage = async <T extends { readonly id: string }>(
  api: HubApi,
  path: string,
  read: (answer: HubAnswer) => readonly T[],
): Promise<readonly T[]> => {
  const entries: T[] = [];
  for (;;) {
    const last = entries.at(-1)?.id;
    const query = new URLSearchParams({ limit: String(PAGE), ...(last === undefined ? {} : { after: last }) });
    const page = read(await api.request('GET', `${path}?${query.toString()}`));
    entries.push(...page);
    if (page.length < PAGE) return entries;
  }
};

const notFound = (name: string, servers: readonly ServerView[]): PlugboardError => {
  const names = servers.map((server) => server.server_name);
  const known =
    names.length === 0
      ? 'No server is registered yet: see `plugboard add --help`.'
      : `Known: ${names.slice(0, 12).join(', ')}${names.length > 12 ? ', …' : ''}.`;
  return new PlugboardError('SERVER_NOT_FOUND', `There is no server called "${name}".`, {
    hint: didYouMean(name, names, known),
  });
};

export interface SyncAsk {
  readonly dryRun: boolean;
  /** The agent whose variables and login are used. */
  readonly agent?: string | undefined;
}

/** What commands ask of the hub, with typed answers. */
export interface HubClient {
  readonly api: HubApi;
  servers(): Promise<readonly ServerView[]>;
  /** By name or id. Rejects with SERVER_NOT_FOUND, naming the nearest. */
  server(nameOrId: string): Promise<ServerView>;
  add(create: ServerCreate): Promise<ServerView>;
  change(id: string, update: ServerUpdate): Promise<ServerView>;
  remove(id: string): Promise<void>;
  sync(id: string, options: SyncAsk): Promise<SyncReport>;
  restart(id: string): Promise<ServerView>;
  logs(id: string, query: ServerLogQuery): Promise<readonly ServerLogEntry[]>;
  tools(serverId: string): Promise<readonly ToolView[]>;
  changeTool(serverId: string, toolId: string, update: ToolUpdate): Promise<ToolView>;
}

export const hubClient = (api: HubApi): HubClient => {
  const at = (id: string, rest = ''): string => `${SERVERS}/${encodeURIComponent(id)}${rest}`;
  const servers = (): Promise<readonly ServerView[]> =>
    everyPage(api, SERVERS, (answer) => readAnswer(z.array(serverAnswer), answer, 'its servers'));
  return {
    api,
    servers,
    server: async (nameOrId) => {
      const all = await servers();
      const found = all.find(({ server_name: name, id }) => name === nameOrId || id === nameOrId);
      if (found === undefined) throw notFound(nameOrId, all);
      return found;
    },
    add: async (create) =>
      readAnswer(serverAnswer, await api.request('POST', SERVERS, { body: create }), 'the new server'),
    change: async (id, update) =>
      readAnswer(serverAnswer, await api.request('PATCH', at(id), { body: update }), 'the server'),
    remove: async (id) => void (await api.request('DELETE', at(id))),
    sync: async (id, { dryRun, agent }) => {
      const query = new URLSearchParams({
        ...(dryRun ? { dry_run: 'true' } : {}),
        ...(agent === undefined ? {} : { agent_id: agent }),
      });
      return readAnswer(
        syncAnswer,
        await api.request('POST', at(id, query.size === 0 ? '/sync' : `/sync?${query.toString()}`)),
        'the sync',
      );
    },
    restart: async (id) => readAnswer(serverAnswer, await api.request('POST', at(id, '/restart')), 'the server'),
    logs: async (id, { limit, after, wait }) => {
      const query = new URLSearchParams(
        Object.entries({ limit, after, wait }).flatMap(([name, value]): [string, string][] =>
          value === undefined ? [] : [[name, String(value)]],
        ),
      );
      return readAnswer(z.array(logAnswer), await api.request('GET', at(id, `/logs?${query.toString()}`)), 'the log');
    },
    tools: (id) => everyPage(api, at(id, '/tools'), (answer) => readAnswer(z.array(toolAnswer), answer, 'the tools')),
    changeTool: async (id, toolId, update) =>
      readAnswer(
        toolAnswer,
        await api.request('PATCH', at(id, `/tools/${encodeURIComponent(toolId)}`), { body: update }),
        'the tool',
      ),
  };
};
