import { eachAtMost } from '@plugboard/base';
import {
  type ErrorDescription,
  hintFor,
  type ServerView,
  type SyncReport,
  toPlugboardError,
} from '@plugboard/contract';
import type { HubClient } from '../../hub-api/client/hub-client.js';
import { count } from '../../terminal/count.js';
import { exitWords, keepsFailing, startWords } from '../render/program-words.js';
import { shellQuote } from '../../terminal/shell-quote.js';
import { lastWords } from '../../terminal/explain-error.js';
import { printableLine } from '../../terminal/printable.js';
import { type Finding, fine, problem, warning } from './finding.js';

const PARALLEL = 4;

const failing = (server: ServerView, error: ErrorDescription): Finding => {
  const said = error.details?.['error_line'] === undefined ? lastWords(error).at(-1) : undefined;
  const message = `${error.message} (${error.code})${said === undefined ? '' : ` It said: ${said}`}`;
  return problem(
    { id: `server:${server.server_name}`, subject: server.server_name, message: printableLine(message) },
    error.code.startsWith('PROCESS_') && error.code !== 'PROCESS_NOT_STARTED'
      ? `plugboard logs ${shellQuote([server.server_name])}   shows its output; plugboard restart restarts it`
      : printableLine(
          hintFor(error, 'cli') ?? `plugboard show ${shellQuote([server.server_name])}   shows all that is known`,
        ),
  );
};

/** Only agents can fill in what it needs, and with one of them it was read. */
const isForAgents = ({ last_sync: last }: ServerView, { code }: ErrorDescription): boolean =>
  code === 'UNRESOLVED_VARIABLES' && last?.status === 'ok';

const forAgents = (server: ServerView): Finding => {
  const { server_name: name, missing_variables: missing } = server;
  return fine({
    id: `server:${name}`,
    subject: name,
    message: printableLine(
      `${count(server.tool_count, 'tool')}, for agents that have ${(missing ?? []).join(', ')}; not connected to now`,
    ),
  });
};

const fromReport = (server: ServerView, report: SyncReport): Finding => {
  if (report.error !== undefined) {
    return isForAgents(server, report.error) ? forAgents(server) : failing(server, report.error);
  }
  const told = {
    id: `server:${server.server_name}`,
    subject: server.server_name,
    message: `answers, ${count(report.total, 'tool')}`,
  };
  const changed = report.added.length + report.updated.length + report.deleted.length;
  const { program } = server;
  if (program !== undefined && keepsFailing(program)) {
    const why = program.last_exit === null ? '' : `, last with ${exitWords(program.last_exit, Date.now())}`;
    return warning(
      {
        ...told,
        message: printableLine(`${told.message}, but its program keeps failing: ${startWords(program)}${why}`),
      },
      `plugboard logs ${shellQuote([server.server_name])}   shows its output`,
    );
  }
  if (report.skipped.length > 0) {
    return warning(
      { ...told, message: `${told.message}, of which ${report.skipped.length} cannot be used by a model` },
      `plugboard show ${shellQuote([server.server_name])} lists them with the reason`,
    );
  }
  if (changed > 0) {
    return warning(
      { ...told, message: `${told.message}, ${changed} of them changed since the last sync` },
      `plugboard sync ${shellQuote([server.server_name])}`,
    );
  }
  return fine(told);
};

const fromMemory = (server: ServerView): Finding => {
  const error = server.status.state === 'failing' ? server.status.error : server.last_sync?.error;
  if (error !== undefined) return failing(server, error);
  return fine({
    id: `server:${server.server_name}`,
    subject: server.server_name,
    message: `${count(server.tool_count, 'tool')}, not connected to now`,
  });
};

const checkOne = async (client: HubClient, server: ServerView, offline: boolean): Promise<Finding> => {
  if (!server.enabled) {
    return fine({ id: `server:${server.server_name}`, subject: server.server_name, message: 'disabled' });
  }
  if (offline) return fromMemory(server);
  try {
    return fromReport(server, await client.sync(server.id, { dryRun: true }));
  } catch (thrown) {
    const error = toPlugboardError(thrown);
    if (error.code === 'INTERNAL') throw thrown;
    return failing(server, error.toJSON());
  }
};

/** Connects to every server, or repeats what was last found, and says what to do about those that fail. */
export const checkServers = async (client: HubClient, offline: boolean): Promise<readonly Finding[]> => {
  const servers = await client.servers();
  return eachAtMost(PARALLEL, servers, (server) => checkOne(client, server, offline));
};
