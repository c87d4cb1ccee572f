import { resolve } from 'node:path';
import { isLoopbackHost } from '@plugboard/base';
import { entryName, EXIT, type ExitCode, type ServerView } from '@plugboard/contract';
import type { HubApi } from '../../hub-api/hub-api.js';
import { count, someOf } from '../../terminal/count.js';
import { missingWords, typeWord } from '../render/server-words.js';
import { ownCommand, shellQuote } from '../../terminal/shell-quote.js';
import { syncWords } from '../render/sync-words.js';
import { printableLine } from '../../terminal/printable.js';
import { wrapLines } from '../../terminal/wrap-lines.js';
import type { Output } from '../../terminal/output.js';
import type { CommandContext } from '../command/command-context.js';
import type { AddressFlags } from '../server-flags/address-options.js';
import { type ConnectionFlags, urlMembers } from '../server-flags/connection-flags.js';
import { parseHeaders, parsePairs } from '../input/pair-flags.js';
import { type OAuthFlags, oauthMember, readOAuthFlags } from '../server-flags/oauth-flags.js';
import type { ProgramFlags } from '../server-flags/program-flags.js';
import { placedFrom } from '../server-flags/sandbox-flags.js';
import { readSecret } from '../input/secret-flag.js';
import { agentIdOf } from '../../hub-api/client/on-behalf.js';
import { isUrl, targetConfig } from '../server-flags/server-target.js';
import { readVariables } from '../input/variable-flags.js';
import { invalidArgument } from '../command/invalid-argument.js';

export interface AddInput extends AddressFlags, ProgramFlags, ConnectionFlags, OAuthFlags {
  readonly name: string;
  readonly authHeader?: string | undefined;
  readonly variables: readonly string[];
  /** The agent whose variables the first sync uses, by its name or id. */
  readonly agent?: string | undefined;
}

const assertName = (name: string): void => {
  const parsed = entryName.safeParse(name);
  if (parsed.success) return;
  const hint = isUrl(name)
    ? 'The name comes first: plugboard add <name> <url>.'
    : 'Choose a short one, such as "files".';
  throw invalidArgument(
    `"${name}" cannot be the name of a server: it ${parsed.error.issues[0]?.message ?? 'is not valid'}.`,
    hint,
  );
};

/** Relative paths among the arguments mean the directory in which they were typed, when the hub can see it. */
export const sharesThisMachine = ({ place }: HubApi): boolean =>
  place.kind === 'in-process' || isLoopbackHost(new URL(place.url).hostname);

const tellOutcome = (server: ServerView, out: Output): void => {
  const { style } = out;
  const name = style.bold(server.server_name);
  const { sync } = server;
  if (sync === undefined || sync.status === 'failed') {
    out.text(`${style.yellow('!')} ${name} is registered (${typeWord(server)}), but its tools could not be read.`);
    if (sync !== undefined) out.text(syncWords(sync, out).join('\n'));
    const missing = missingWords(server);
    if (missing !== undefined) out.text(`  ${missing}`);
    out.text(`  When that is fixed: plugboard sync ${shellQuote([server.server_name])}`);
    return;
  }
  const protocol = server.protocol === null ? '' : `, protocol ${server.protocol.revision}`;
  out.text(`${style.green('✓')} ${name} is registered (${typeWord(server)}${protocol}): ${count(sync.total, 'tool')}.`);
  if (sync.added.length > 0) out.text(wrapLines(`  ${someOf(sync.added.map(printableLine), 8)}`, out.width));
  const problems = syncWords({ ...sync, added: [] }, out);
  if (problems.length > 0) out.text(problems.join('\n'));
  const [first] = sync.added;
  if (first !== undefined) {
    out.note(style.dim(`\nplugboard tools ${ownCommand([server.server_name, first])}   shows how to call it`));
  }
};

export const run = async (context: CommandContext, given: AddInput): Promise<ExitCode> => {
  const { out, hub, waiting, process } = context;
  const input = placedFrom(process.cwd, given);
  assertName(input.name);
  const oauth = await readOAuthFlags(input, process);
  const config = targetConfig({
    ...input,
    ...oauth,
    env: parsePairs('--env', input.env),
    headers: parseHeaders(input.header),
    cwd: input.cwd === undefined ? undefined : resolve(process.cwd, input.cwd),
    token: await readSecret(input.token, process),
    variables: await readVariables(input.variables, process),
  });
  const reached =
    config.mcp_server_type === 'stdio'
      ? config
      : { ...config, ...(await urlMembers(input, process.cwd)), ...oauthMember(oauth) };
  const client = await hub();
  const placed =
    reached.mcp_server_type === 'stdio' && reached.cwd === undefined && sharesThisMachine(client.api)
      ? { ...reached, cwd: process.cwd }
      : reached;
  const agent = await agentIdOf(client.api, input.agent);
  const server = await waiting(`Registering ${input.name} and reading its tools`, async () => {
    const added = await client.add({ server_name: input.name, config: placed });
    return agent === undefined ? added : { ...added, sync: await client.sync(added.id, { dryRun: false, agent }) };
  });
  out.data(server);
  if (!out.quiet || server.sync?.status === 'failed') tellOutcome(server, out);
  return EXIT.ok;
};
