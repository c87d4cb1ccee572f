import { eachAtMost } from '@plugboard/base';
import { ERROR_CODES, EXIT, type ExitCode, type ServerView, type SyncReport } from '@plugboard/contract';
import type { HubClient } from '../../hub-api/client/hub-client.js';
import { syncSummary, syncWords } from '../render/sync-words.js';
import type { CommandContext } from '../command/command-context.js';
import { agentIdOf } from '../../hub-api/client/on-behalf.js';

export interface SyncInput {
  readonly servers: readonly string[];
  readonly dryRun: boolean;
  /** The agent whose variables and login are used, by its name or id. */
  readonly agent: string | undefined;
}

const PARALLEL = 4;

const chosen = async (client: HubClient, names: readonly string[]): Promise<readonly ServerView[]> => {
  if (names.length === 0) return (await client.servers()).filter((server) => server.enabled);
  return Promise.all(names.map((name) => client.server(name)));
};

/** The reading that says most: a server that cannot be reached before a tool that could not be stored. */
export const syncExit = (reports: readonly SyncReport[]): ExitCode => {
  const errors = reports.flatMap(({ error }) => (error === undefined ? [] : [ERROR_CODES[error.code].exit]));
  const [worst] = errors.toSorted((left, right) => right - left);
  if (worst !== undefined) return worst;
  return reports.some(({ status }) => status !== 'ok') ? EXIT.failed : EXIT.ok;
};

export const run = async ({ out, hub, waiting }: CommandContext, input: SyncInput): Promise<ExitCode> => {
  const client = await hub();
  const agent = await agentIdOf(client.api, input.agent);
  const servers = await chosen(client, input.servers);
  if (servers.length === 0) out.note('There is nothing to sync: no server is registered and enabled.');
  const label = servers.length === 1 ? `Reading the tools of ${servers[0]?.server_name ?? ''}` : 'Reading tools';
  const reports = await waiting(label, () =>
    eachAtMost(PARALLEL, servers, (server) => client.sync(server.id, { dryRun: input.dryRun, agent })),
  );
  out.data(servers.map((server, index) => ({ server: server.server_name, ...reports[index] })));
  for (const [index, server] of servers.entries()) {
    const report = reports[index];
    if (report === undefined || (out.quiet && report.status === 'ok')) continue;
    out.text([`${out.style.bold(server.server_name)}: ${syncSummary(report)}`, ...syncWords(report, out)].join('\n'));
  }
  return syncExit(reports);
};
