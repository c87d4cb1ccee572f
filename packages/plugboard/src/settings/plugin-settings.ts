import { basename } from 'node:path';
import { entryName, PlugboardError } from '@plugboard/contract';
import { z } from 'zod';

/** One element of `plugins` of plugboard.json. */
const pluginEntry = z.strictObject({
  module: z
    .string()
    .min(1)
    .max(1024)
    .describe('a package, or a file; a path that starts with a dot is relative to this file'),
  name: entryName.optional().describe('the name of the plug-in; default: the name of the file or package'),
  server: entryName.optional().describe('the registered server that it uses'),
  options: z.record(z.string(), z.unknown()).optional().describe('passed to the plug-in as `settings`'),
  env: z
    .array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/u))
    .optional()
    .describe('environment variables of the hub to pass to the plug-in; default: none'),
  deadline: z
    .number()
    .positive()
    .max(3600)
    .optional()
    .describe('the time limit for its start and for each action, in seconds; default: 60'),
});

export const pluginsFile = z.array(pluginEntry).max(100).describe('modules that add actions to the hub');
export type PluginsFile = z.infer<typeof pluginsFile>;

export interface DeclaredPlugin {
  readonly name: string;
  /** As it was written. */
  readonly module: string;
  /** The file that it was written in: relative files and packages are found from there. */
  readonly beside: string;
  readonly server: string | undefined;
  readonly options: Readonly<Record<string, unknown>>;
  readonly env: readonly string[];
  readonly deadlineMs: number;
}

const DEADLINE_SECONDS = 60;

const nameOf = (module: string): string =>
  basename(module)
    .replace(/(?:\.plugin)?\.[cm]?js$/u, '')
    .replaceAll(/[^\w-]/gu, '-');

/** The plug-ins that the configuration file names. Throws CONFIG_INVALID when two of them have one name. */
export const declaredPlugins = (file: PluginsFile | undefined, beside: string): readonly DeclaredPlugin[] => {
  const plugins = (file ?? []).map(({ module, name, server, options = {}, env = [], deadline = DEADLINE_SECONDS }) => ({
    name: name ?? nameOf(module),
    module,
    beside,
    server,
    options,
    env,
    deadlineMs: deadline * 1000,
  }));
  const twice = plugins.find(({ name }, index) => plugins.findIndex((other) => other.name === name) !== index);
  if (twice === undefined) return plugins;
  throw new PlugboardError('CONFIG_INVALID', `Two plug-ins are called "${twice.name}".`, {
    hint: 'Give one of them another `name` in plugboard.json.',
  });
};
