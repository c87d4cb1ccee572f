import { EXIT, type ExitCode } from '@plugboard/contract';
import { candidates, type NameSource } from './candidates.js';
import { printableLine } from '../../terminal/printable.js';
import type { CommandContext } from '../command/command-context.js';
import type { DescribeProgram } from '../command/define.js';
import { completionScript, type Shell } from './script.js';
import { agentClient } from '../../hub-api/client/entry-client.js';
import type { HubClient } from '../../hub-api/client/hub-client.js';
import { parametersOf } from '../render/parameters.js';
import { briefly } from '../render/tool-words.js';

export interface CompleteInput {
  /** What was typed after the program's name, the word at the cursor last. */
  readonly words: readonly string[];
  readonly describeProgram: DescribeProgram;
}

/** Names from the hub. A completion never complains: what cannot be asked offers nothing. */
const hubNames = (hub: () => Promise<HubClient>): NameSource => {
  const orNothing = async <T>(work: (client: HubClient) => Promise<readonly T[]>): Promise<readonly T[]> => {
    try {
      return await work(await hub());
    } catch {
      return [];
    }
  };
  const toolsOf = async (client: HubClient, server: string) => client.tools((await client.server(server)).id);
  return {
    servers: () =>
      orNothing(async (client) =>
        (await client.servers()).map((server) => ({ value: server.server_name, description: server.mcp_server_type })),
      ),
    tools: (server) =>
      orNothing(async (client) =>
        (await toolsOf(client, server)).map((tool) => ({ value: tool.upstream_name, description: briefly(tool) })),
      ),
    agents: () =>
      orNothing(async (client) =>
        (await agentClient(client.api).list()).map(({ name, description }) => ({
          value: name,
          description: printableLine(description ?? ''),
        })),
      ),
    parameters: (server, name) =>
      orNothing(async (client) => {
        const tool = (await toolsOf(client, server)).find((entry) => entry.upstream_name === name);
        return parametersOf(tool?.input_schema).map((parameter) => ({
          value: `${parameter.name}=`,
          description: printableLine(parameter.description),
        }));
      }),
  };
};

/** Asked by the completion scripts: one candidate per line, a tab before its description. */
export const complete = async (
  { out, process, hub }: CommandContext,
  { words, describeProgram }: CompleteInput,
): Promise<ExitCode> => {
  const program = describeProgram(process);
  const found = await candidates(program, words, hubNames(hub));
  out.data(found);
  // A name with a line break or a control character could not be typed anyway; one that looks like an option would be
  // taken for it.
  const wantsOption = words.at(-1)?.startsWith('-') === true;
  const typeable = found.filter(
    ({ value }) => printableLine(value) === value && (wantsOption || !value.startsWith('-')),
  );
  out.text(typeable.map(({ value, description }) => `${value}\t${printableLine(description)}`).join('\n'));
  return EXIT.ok;
};

export const printScript = async ({ out }: CommandContext, { shell }: { readonly shell: Shell }): Promise<ExitCode> => {
  const script = completionScript(shell);
  out.data({ shell, script });
  out.text(script);
  return EXIT.ok;
};
