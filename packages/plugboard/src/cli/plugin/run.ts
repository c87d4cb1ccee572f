import { EXIT, type ExitCode } from '@plugboard/contract';
import { pluginClient } from '../../hub-api/client/plugin-client.js';
import { explainError } from '../../terminal/explain-error.js';
import { type ArgumentFlags, collectArguments } from '../input/call-arguments.js';
import type { CommandContext } from '../command/command-context.js';

export interface PluginRunInput extends ArgumentFlags {
  readonly plugin: string;
  readonly action: string;
}

export const run = async (context: CommandContext, { plugin, action, ...flags }: PluginRunInput): Promise<ExitCode> => {
  const { out, hub, waiting } = context;
  const parameters = await collectArguments(context, flags, {});
  const client = pluginClient((await hub()).api);
  const outcome = await waiting(`${plugin} ${action}`, () => client.run(plugin, { action, parameters }));
  out.data(outcome);
  const { data, error, status } = outcome;
  if (data !== undefined) out.verbatim(typeof data === 'string' ? data : JSON.stringify(data, null, 2));
  if (error !== undefined) out.problem(explainError(error, out.noteStyle, out.width));
  return status === 'success' ? EXIT.ok : EXIT.failed;
};
