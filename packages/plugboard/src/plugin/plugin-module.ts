import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, isAbsolute, resolve } from 'node:path';
import { PlugboardError } from '@plugboard/contract';
import type { DeclaredPlugin } from '../settings/plugin-settings.js';

const missing = ({ name, module }: DeclaredPlugin, hint: string, cause?: unknown): PlugboardError =>
  new PlugboardError('CONFIG_INVALID', `The module "${module}" of the plug-in "${name}" does not exist.`, {
    hint,
    cause,
  });

/** The file of a plug-in. Throws CONFIG_INVALID when there is none. */
export const pluginFileOf = (plugin: DeclaredPlugin): string => {
  const { module, beside } = plugin;
  if (module.startsWith('.') || isAbsolute(module)) {
    const path = resolve(dirname(beside), module);
    if (existsSync(path)) return path;
    throw missing(plugin, 'Correct `module` in plugboard.json: a relative path is relative to that file.');
  }
  try {
    return createRequire(beside).resolve(module);
  } catch (cause) {
    throw missing(plugin, 'Install the package beside plugboard.json, or begin the path of a file with ./', cause);
  }
};
