import { resolve } from 'node:path';
import { EXIT, type ExitCode, type ServerConfigUpdate, type ServerUpdate, type ServerView } from '@plugboard/contract';
import { missingWords } from '../render/server-words.js';
import type { HubClient } from '../../hub-api/client/hub-client.js';
import { findTool } from '../../hub-api/client/find-tool.js';
import type { CommandContext } from '../command/command-context.js';
import { parseHeaders, parsePairs } from '../input/pair-flags.js';
import { type ConnectionFlags, sharedMembers, urlMembers } from '../server-flags/connection-flags.js';
import { type ProgramFlags, programMembers } from '../server-flags/program-flags.js';
import { losesSecret, type OAuthFlags, oauthMember, readOAuthFlags } from '../server-flags/oauth-flags.js';
import { placedFrom } from '../server-flags/sandbox-flags.js';
import { readSecret } from '../input/secret-flag.js';
import { assertFlagsFit, isUrl } from '../server-flags/server-target.js';
import { readVariables } from '../input/variable-flags.js';
import { invalidArgument } from '../command/invalid-argument.js';

export interface SetInput extends ProgramFlags, ConnectionFlags, OAuthFlags {
  readonly server: string;
  readonly target: readonly string[];
  readonly name?: string | undefined;
  readonly env: readonly string[];
  readonly unsetEnv: readonly string[];
  readonly header: readonly string[];
  readonly unsetHeader: readonly string[];
  readonly cwd?: string | undefined;
  /** false: --no-token. */
  readonly token?: string | false | undefined;
  readonly authHeader?: string | undefined;
  readonly variables: readonly string[];
  readonly unsetVariables: readonly string[];
  readonly enable: boolean;
  readonly disable: boolean;
  readonly enableTool: readonly string[];
  readonly disableTool: readonly string[];
}

type Values = Readonly<Record<string, string>>;

interface Parsed {
  readonly env: Values;
  readonly headers: Values;
  readonly variables: Values;
  readonly token: string | undefined;
  readonly cwd: string | undefined;
  readonly oauth: OAuthFlags;
  readonly reach: Awaited<ReturnType<typeof urlMembers>>;
}

/** What was read comes back masked, and the hub keeps what it gets back unchanged. */
const merged = (
  stored: Values | null | undefined,
  added: Values,
  removed: readonly string[],
): Record<string, string> => {
  const gone = new Set(removed.map((name) => name.toLowerCase()));
  return {
    ...Object.fromEntries(Object.entries(stored ?? {}).filter(([name]) => !gone.has(name.toLowerCase()))),
    ...added,
  };
};

const touched = (added: Values, removed: readonly string[]): boolean =>
  Object.keys(added).length > 0 || removed.length > 0;

const configUpdate = (server: ServerView, input: SetInput, parsed: Parsed): ServerConfigUpdate => {
  const [first, ...rest] = input.target;
  const shared = sharedMembers(input, server.deadlines);
  const variables = touched(parsed.variables, input.unsetVariables)
    ? { variables: merged(server.variables, parsed.variables, input.unsetVariables) }
    : {};
  if (server.mcp_server_type === 'stdio') {
    return {
      mcp_server_type: 'stdio',
      ...variables,
      ...(first === undefined ? {} : { command: first, args: rest }),
      ...(touched(parsed.env, input.unsetEnv) ? { env: merged(server.env, parsed.env, input.unsetEnv) } : {}),
      ...(parsed.cwd === undefined ? {} : { cwd: parsed.cwd }),
      ...programMembers(input, server),
      ...shared,
    };
  }
  return {
    mcp_server_type: server.mcp_server_type,
    ...variables,
    ...(first === undefined ? {} : { server_url: first }),
    ...(touched(parsed.headers, input.unsetHeader)
      ? { custom_headers: merged(server.custom_headers, parsed.headers, input.unsetHeader) }
      : {}),
    ...(input.token === undefined ? {} : { auth_token: parsed.token ?? null }),
    ...(input.authHeader === undefined ? {} : { auth_header: input.authHeader }),
    ...shared,
    ...parsed.reach,
    ...oauthMember(parsed.oauth, server.oauth),
  };
};

const assertTargetFits = (server: ServerView, target: readonly string[]): void => {
  const [first] = target;
  if (first === undefined) return;
  const isProgram = server.mcp_server_type === 'stdio';
  if (isProgram !== isUrl(first) && (isProgram || target.length === 1)) return;
  throw invalidArgument(
    `${server.server_name} is a ${isProgram ? 'program' : 'URL'}, and that cannot be changed.`,
    `Remove it and add it again: plugboard remove ${server.server_name}`,
  );
};

const serverUpdate = (server: ServerView, input: SetInput, parsed: Parsed): ServerUpdate => {
  const config = configUpdate(server, input, parsed);
  return {
    ...(input.name === undefined ? {} : { server_name: input.name }),
    ...(Object.keys(config).length === 1 ? {} : { config }),
    ...(input.enable || input.disable ? { enabled: input.enable } : {}),
  };
};

const switchTools = async (client: HubClient, server: ServerView, input: SetInput): Promise<readonly string[]> => {
  const switches = [
    ...input.enableTool.map((name) => ({ name, enabled: true })),
    ...input.disableTool.map((name) => ({ name, enabled: false })),
  ];
  if (switches.length === 0) return [];
  const tools = await client.tools(server.id);
  // All are looked up before the first is switched, so that a typing error changes nothing.
  const found = switches.map(({ name, enabled }) => ({ tool: findTool(server.server_name, tools, name), enabled }));
  for (const { tool, enabled } of found) await client.changeTool(server.id, tool.id, { enabled });
  return found.map(({ tool, enabled }) => `${tool.upstream_name} ${enabled ? 'enabled' : 'disabled'}`);
};

/** What was secret stays with the origin that it was for. */
const lostSecrets = (before: ServerView, after: ServerView): boolean => {
  if (before.mcp_server_type === 'stdio' || after.mcp_server_type === 'stdio') return false;
  const held = (view: typeof before): number =>
    (view.auth_token === undefined || view.auth_token === null ? 0 : 1) +
    Object.keys(view.custom_headers ?? {}).length +
    Object.keys(view.variables ?? {}).length;
  return held(after) < held(before);
};

const parse = async ({ process }: CommandContext, input: SetInput): Promise<Parsed> => {
  if (input.enable && input.disable) {
    throw invalidArgument('--enable and --disable contradict each other.', 'Give one of them.');
  }
  return {
    env: parsePairs('--env', input.env),
    headers: parseHeaders(input.header),
    variables: await readVariables(input.variables, process),
    token: input.token === false ? undefined : await readSecret(input.token, process),
    cwd: input.cwd === undefined ? undefined : resolve(process.cwd, input.cwd),
    oauth: await readOAuthFlags(input, process),
    reach: await urlMembers(input, process.cwd),
  };
};

export const run = async (context: CommandContext, given: SetInput): Promise<ExitCode> => {
  const { out, hub } = context;
  const input = placedFrom(context.process.cwd, given);
  const parsed = await parse(context, input);
  const client = await hub();
  const server = await client.server(input.server);
  assertTargetFits(server, input.target);
  const { env: _env, header: _header, variables: _variables, target: _target, ...typed } = input;
  assertFlagsFit(server.mcp_server_type, { ...typed, ...parsed, sse: false });
  const update = serverUpdate(server, input, parsed);
  const switched = await switchTools(client, server, input);
  const changes = [...Object.keys(update), ...switched];
  if (changes.length === 0) throw invalidArgument('No change was given.', 'See `plugboard set --help`.');
  const changed =
    Object.keys(update).length === 0 ? await client.server(server.id) : await client.change(server.id, update);
  out.data(changed);
  if (out.quiet) return EXIT.ok;
  out.text(`${out.style.green('✓')} ${out.style.bold(changed.server_name)} is changed.`);
  for (const line of switched) out.text(`  ${line}`);
  const missing = missingWords(changed);
  if (missing !== undefined) out.text(`  ${missing}`);
  if (lostSecrets(server, changed)) {
    out.note(
      'Its URL has another origin, or its proxy changed: its token, headers and variables were dropped. Set them again if it needs them.',
    );
  }
  if (server.mcp_server_type !== 'stdio' && input.oauthClientSecret === undefined && losesSecret(input, server.oauth)) {
    out.note(
      'Its client secret was for another authorization server and was dropped. Set it again: --oauth-client-secret -',
    );
  }
  if (update.config !== undefined) {
    out.note(`Its tools were not read again. Do so with: plugboard sync ${changed.server_name}`);
  }
  return EXIT.ok;
};
