import { dirname } from 'node:path';
import { checkTarget, readOffer } from '@plugboard/check';
import { childEnvironment } from '@plugboard/client';
import type { EvalFile, ToolDefinition } from '@plugboard/contract';
import { gatewayTools } from '../../agent-model/gateway-tools.js';
import type { CommandContext } from '../command/command-context.js';
import { registeredSubject } from '../contract/subject.js';
import { resolvedAddress } from '../workflow/workflow-source.js';

/** A tool that is offered to the model. It is never called. */
export interface OfferedTool {
  readonly server: string;
  readonly definition: ToolDefinition;
}

const ofServer = async (
  context: CommandContext,
  name: string,
  address: NonNullable<EvalFile['servers']>[string],
  path: string,
): Promise<readonly OfferedTool[]> => {
  const { process } = context;
  const { url, command } = address;
  const offer =
    url === undefined && command === undefined
      ? await registeredSubject(context, address.name ?? name).read()
      : await readOffer(checkTarget.parse(await resolvedAddress(context, address, dirname(path))), {
          signal: process.signal,
          baseEnv: childEnvironment({ inherited: process.env }),
        });
  return offer.tools.map((definition) => ({ server: name, definition }));
};

/** The tools of the file's servers, or those that the user of the hub may call. */
export const evalTools = async (
  context: CommandContext,
  { servers, toolsets }: EvalFile,
  path: string,
): Promise<readonly OfferedTool[]> => {
  if (servers !== undefined) {
    const lists: (readonly OfferedTool[])[] = [];
    for (const [name, address] of Object.entries(servers)) lists.push(await ofServer(context, name, address, path));
    return lists.flat();
  }
  const { api } = await context.hub();
  const { signal } = context.process;
  return gatewayTools(
    async (method, segments, body, called) =>
      (await api.request(method, `/${segments.map(encodeURIComponent).join('/')}`, { body, signal: called })).json,
    toolsets,
    { onlyToolsets: toolsets.length > 0, signal },
  );
};
