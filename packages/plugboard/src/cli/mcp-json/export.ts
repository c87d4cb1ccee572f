import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { EXIT, type ExitCode, PlugboardError, type ServerView } from '@plugboard/contract';
import type { HubApi } from '../../hub-api/hub-api.js';
import { keyClient } from '../../hub-api/client/key-client.js';
import { clientConfig, keyRemark } from '../../mcp-json/client-entry.js';
import type { ClientName } from '../../mcp-json/client-name.js';
import { clientPlace } from '../../mcp-json/client-place.js';
import { exportServer } from '../../mcp-json/export-server.js';
import { count } from '../../terminal/count.js';
import type { CommandContext } from '../command/command-context.js';
import { invalidArgument } from '../command/invalid-argument.js';

export interface ExportInput {
  readonly servers: readonly string[];
  readonly output?: string | undefined;
  readonly forClient?: ClientName | undefined;
  readonly each: boolean;
  readonly withSecrets: boolean;
}

interface Document {
  readonly content: Readonly<Record<string, unknown>>;
  readonly remarks: readonly string[];
}

const assertPossible = ({ withSecrets, each, forClient }: ExportInput): void => {
  if (withSecrets) {
    throw new PlugboardError('PERMISSION_DENIED', 'Secrets cannot be exported. The hub never reveals them.', {
      hint: 'Export without --with-secrets; each secret becomes ${NAME}, to be filled in where the file is used.',
    });
  }
  if (each && forClient === undefined) {
    throw invalidArgument(
      '--each requires --for-client.',
      'Without --for-client every server has its own entry anyway.',
    );
  }
};

const hubUrl = async ({ hub, settings }: CommandContext): Promise<string> => {
  const { place } = (await hub()).api;
  if (place.kind === 'running') return place.url;
  const { host, port } = await settings();
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
};

/** Does the hub reject clients without a key? A caller that may not list keys has one, so keys exist. */
const asksForKeys = async (api: HubApi): Promise<boolean> => {
  try {
    return (await keyClient(api).list()).length > 0;
  } catch (thrown) {
    if (thrown instanceof PlugboardError && thrown.code === 'PERMISSION_DENIED') return true;
    throw thrown;
  }
};

const forClient = async (
  context: CommandContext,
  client: ClientName,
  servers: readonly ServerView[] | undefined,
): Promise<Document> => {
  const url = await hubUrl(context);
  const urls =
    servers === undefined
      ? [{ name: 'plugboard', url: `${url}/mcp` }]
      : servers.map(({ server_name: name }) => ({ name, url: `${url}/servers/${encodeURIComponent(name)}/mcp` }));
  const { api } = await context.hub();
  const { place } = api;
  const keyed = await asksForKeys(api);
  return {
    content: clientConfig(client, urls, keyed),
    remarks: [
      `Put this into ${clientPlace(client, context.process)}`,
      ...(keyed ? [keyRemark(client)] : []),
      ...(place.kind === 'in-process' ? ['The hub must run for it: plugboard serve'] : []),
    ],
  };
};

const shared = (servers: readonly ServerView[]): Document => {
  const exported = servers.map((server) => ({ name: server.server_name, ...exportServer(server) }));
  const variables = [...new Set(exported.flatMap((entry) => entry.variables))];
  return {
    content: { mcpServers: Object.fromEntries(exported.map(({ name, entry }) => [name, entry])) },
    remarks:
      variables.length === 0
        ? []
        : [
            `${count(variables.length, 'secret')} stayed in the hub; set ${variables.join(', ')} where the file is used.`,
          ],
  };
};

export const run = async (context: CommandContext, input: ExportInput): Promise<ExitCode> => {
  assertPossible(input);
  const { out, hub, process } = context;
  const client = await hub();
  const named = input.servers.length > 0;
  const servers = named ? await Promise.all(input.servers.map((name) => client.server(name))) : await client.servers();
  const document =
    input.forClient === undefined
      ? shared(servers)
      : await forClient(context, input.forClient, input.each || named ? servers : undefined);
  const text = `${JSON.stringify(document.content, null, 2)}\n`;
  if (input.output === undefined) {
    out.data(document.content);
    out.text(text);
  } else {
    await writeFile(resolve(process.cwd, input.output), text, { mode: 0o600 });
    out.data({ written: input.output, servers: servers.length });
    out.note(`Wrote ${input.output}.`);
  }
  for (const remark of document.remarks) out.note(out.noteStyle.dim(remark));
  return EXIT.ok;
};
