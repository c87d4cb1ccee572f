import { eachAtMost } from '@plugboard/base';
import { ERROR_CODES, EXIT, type ExitCode, type ServerView, type SyncReport } from '@plugboard/contract';
import type { HubClient } from '../../hub-api/client/hub-client.js';
import { syncSummary, syncWords } from '../render/sync-words.js';
import type { CommandContext } from '../command/command-context.js';
import { agentIdOf } from '../../hub-api/client/on-behalf.js';
import { count } from '../../terminal/count.js';
import { shellQuote } from '../../terminal/shell-quote.js';
import type { Output } from '../../terminal/output.js';
import { briefPlaceOf, paintStatus, statusWords, typeWord } from '../render/server-words.js';
import type { Column } from '../../terminal/table.js';
import { showList } from '../render/show-list.js';
import type { Style } from '../../terminal/style.js';

export interface SyncInput {
  readonly servers: readonly string[];
  readonly dryRun: boolean;
  /** The agent whose variables and login are used, by its name or id. */
  readonly agent?: string | undefined;
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

export const sync = async ({ out, hub, waiting }: CommandContext, input: SyncInput): Promise<ExitCode> => {
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

const tell = ({ server_name: name, sync }: ServerView, out: Output): void => {
  const { style } = out;
  if (sync === undefined || sync.error === undefined) {
    if (!out.quiet) out.text(`${style.green('✓')} ${style.bold(name)} runs again: ${count(sync?.total ?? 0, 'tool')}.`);
    return;
  }
  out.text(`${style.red('✗')} ${style.bold(name)} did not start.`);
  out.text(syncWords(sync, out).join('\n'));
  out.note(style.dim(`\nplugboard logs ${shellQuote([name])}   shows its output`));
};

export const restart = async (
  { out, hub, waiting }: CommandContext,
  input: { readonly servers: readonly string[] },
): Promise<ExitCode> => {
  const client = await hub();
  const named = await Promise.all(input.servers.map((name) => client.server(name)));
  const restarted = await waiting(`Restarting ${named.map(({ server_name }) => server_name).join(', ')}`, () =>
    eachAtMost(PARALLEL, named, ({ id }) => client.restart(id)),
  );
  out.data(restarted);
  for (const server of restarted) tell(server, out);
  return syncExit(restarted.flatMap(({ sync }) => (sync === undefined ? [] : [sync]))) === EXIT.ok
    ? EXIT.ok
    : EXIT.failed;
};

const columns = (style: Style): readonly Column<ServerView>[] => [
  { title: 'NAME', text: (server) => server.server_name, paint: style.bold, shrinkTo: 32 },
  { title: 'TYPE', text: typeWord },
  { title: 'STATUS', text: statusWords, paint: (text) => paintStatus(text, style), shrinkTo: 10 },
  { title: 'TOOLS', text: (server) => String(server.tool_count), align: 'right' },
  { title: 'COMMAND OR URL', text: briefPlaceOf, paint: style.dim, shrinkTo: 12 },
];

const NONE = `No server is registered yet. Add one:
  plugboard add files -- npx -y @modelcontextprotocol/server-filesystem .
  plugboard import            (from Claude Desktop, Cursor, VS Code or Windsurf)`;

export const list = async ({ out, hub }: CommandContext): Promise<ExitCode> =>
  showList(out, await (await hub()).servers(), { columns, name: ({ server_name }) => server_name, none: NONE });

export const remove = async (
  { out, hub }: CommandContext,
  { servers }: { readonly servers: readonly string[] },
): Promise<ExitCode> => {
  const client = await hub();
  // All are looked up before the first goes, so that a typing error removes nothing.
  const found = [];
  for (const name of servers) found.push(await client.server(name));
  for (const server of found) {
    await client.remove(server.id);
    if (!out.quiet) {
      out.text(`Removed ${out.style.bold(server.server_name)} and its ${count(server.tool_count, 'tool')}.`);
    }
  }
  out.data({ removed: found.map(({ id, server_name }) => ({ id, server_name })) });
  return EXIT.ok;
};
