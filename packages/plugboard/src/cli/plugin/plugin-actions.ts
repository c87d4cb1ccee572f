import { EXIT, type ExitCode, type PluginView } from '@plugboard/contract';
import { pluginClient } from '../../hub-api/client/plugin-client.js';
import { explainError } from '../../terminal/explain-error.js';
import { printableLine } from '../../terminal/printable.js';
import type { Style } from '../../terminal/style.js';
import type { Column } from '../../terminal/table.js';
import { showList } from '../render/show-list.js';
import type { CommandContext } from '../command/command-context.js';
import { type ArgumentFlags, collectArguments } from '../input/call-arguments.js';

const columns = (style: Style): readonly Column<PluginView>[] => [
  { title: 'NAME', text: ({ name }) => name, paint: style.bold, shrinkTo: 12 },
  { title: 'STATE', text: ({ state }) => state },
  { title: 'SERVER', text: ({ server }) => server ?? '–', shrinkTo: 8 },
  { title: 'ACTIONS', text: ({ actions }) => printableLine(actions.map(({ name }) => name).join(', ')), shrinkTo: 16 },
  { title: 'MODULE', text: ({ module }) => printableLine(module), paint: style.dim, shrinkTo: 16 },
];

export const list = async ({ out, hub }: CommandContext): Promise<ExitCode> => {
  const plugins = await pluginClient((await hub()).api).list();
  showList(out, plugins, {
    columns,
    name: ({ name }) => name,
    none: 'No plug-ins are configured. Add one to `plugins` in plugboard.json and restart the hub.',
  });
  for (const { error } of plugins) if (error !== undefined) out.problem(explainError(error, out.noteStyle, out.width));
  return plugins.some(({ state }) => state === 'failing') ? EXIT.failed : EXIT.ok;
};

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
