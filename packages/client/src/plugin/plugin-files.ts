import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PlugboardError } from '@plugboard/contract';
import type { Plugin, PluginModule } from './plugin.js';

const fileName = /^([a-z0-9][a-z0-9_-]*)\.plugin\.m?js$/u;

export interface PluginFile {
  readonly name: string;
  readonly path: string;
}

/** The plug-ins of a directory, sorted by name; none when it does not exist. */
export const findPlugins = async (directory: string): Promise<readonly PluginFile[]> => {
  const entries = await readdir(directory).catch((): string[] => []);
  return entries
    .sort()
    .map((entry) => ({ name: fileName.exec(entry)?.[1], path: join(directory, entry) }))
    .filter((file): file is PluginFile => file.name !== undefined);
};

/** Changes when the file does. */
export const versionOf = async (file: PluginFile): Promise<string> => {
  const { mtimeMs, size } = await stat(file.path);
  return `${mtimeMs}-${size}`;
};

const isModule = (value: unknown): value is PluginModule =>
  typeof (value as Partial<PluginModule> | undefined)?.createPlugin === 'function';

const HOOKS = ['initialize', 'execute', 'shutdown', 'metadata', 'validateRequest'] as const;

/** What the module makes, once it is sure to be a plug-in. */
const created = (name: string, module: PluginModule): Plugin => {
  const plugin = attempt(name, module) as Partial<Plugin> | null | undefined;
  const absent = HOOKS.filter((hook) => typeof plugin?.[hook] !== 'function');
  if (absent.length === 0) return plugin as Plugin;
  throw new PlugboardError('CONFIG_INVALID', `The plug-in "${name}" has no ${absent.join(', no ')}.`, {
    hint: 'createPlugin returns an object with initialize, execute, shutdown, metadata and validateRequest; McpPlugin has them.',
  });
};

const attempt = (name: string, { createPlugin }: PluginModule): unknown => {
  try {
    return createPlugin();
  } catch (cause) {
    if (cause instanceof PlugboardError) throw cause;
    throw new PlugboardError('CONFIG_INVALID', `createPlugin of the plug-in "${name}" failed.`, {
      hint: 'Correct the module; the log has the cause.',
      cause,
    });
  }
};

/** Loads the module of a plug-in; a new version is a new module, for the old one cannot be unloaded. */
export const loadPlugin = async (file: PluginFile, version: string): Promise<Plugin> => {
  const url = pathToFileURL(file.path);
  url.searchParams.set('version', version);
  const module = await import(/* @vite-ignore */ url.href).catch((cause: unknown) => {
    throw new PlugboardError('CONFIG_INVALID', `The plug-in "${file.name}" cannot be loaded.`, {
      hint: 'Its file has an error, or imports a package that is not installed. The log has the cause.',
      cause,
    });
  });
  if (!isModule(module)) {
    throw new PlugboardError('CONFIG_INVALID', `The plug-in "${file.name}" exports no createPlugin function.`, {
      hint: 'A plug-in module has `export const createPlugin = () => …`.',
    });
  }
  return created(file.name, module);
};
