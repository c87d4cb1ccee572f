import { EXIT, type ExitCode, type PluginView } from '@plugboard/contract';
import { pluginClient } from '../../hub-api/client/plugin-client.js';
import { explainError } from '../../terminal/explain-error.js';
import { printableLine } from '../../terminal/printable.js';
import type { Style } from '../../terminal/style.js';
import { type Column, formatTable } from '../../terminal/table.js';
import type { CommandContext } from '../command/command-context.js';

const columns = (style: Style): readonly Column<PluginView>[] => [
  { title: 'NAME', text: ({ name }) => name, paint: style.bold, shrinkTo: 12 },
  { title: 'STATE', text: ({ state }) => state },
  { title: 'SERVER', text: ({ server }) => server ?? '–', shrinkTo: 8 },
  { title: 'ACTIONS', text: ({ actions }) => printableLine(actions.map(({ name }) => name).join(', ')), shrinkTo: 16 },
  { title: 'MODULE', text: ({ module }) => printableLine(module), paint: style.dim, shrinkTo: 16 },
];

export const run = async ({ out, hub }: CommandContext): Promise<ExitCode> => {
  const plugins = await pluginClient((await hub()).api).list();
  out.data(plugins);
  if (out.quiet) out.text(plugins.map(({ name }) => name).join('\n'));
  else if (plugins.length > 0) out.text(formatTable(columns(out.style), plugins, out));
  else out.note('No plug-ins are configured. Add one to `plugins` in plugboard.json and restart the hub.');
  for (const { error } of plugins) if (error !== undefined) out.problem(explainError(error, out.noteStyle, out.width));
  return plugins.some(({ state }) => state === 'failing') ? EXIT.failed : EXIT.ok;
};
