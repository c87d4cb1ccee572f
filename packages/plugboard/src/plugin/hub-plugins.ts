import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, isAbsolute, resolve } from 'node:path';
import { createPluginHost, type PluginHost, type PluginMetadata, type ToolCaller } from '@plugboard/client';
import {
  PlugboardError,
  type PluginOutcome,
  type PluginRun,
  type PluginView,
  toPlugboardError,
} from '@plugboard/contract';
import type { Plugins } from '@plugboard/registry';
import type { DeclaredPlugin } from '../settings/plugin-settings.js';
import type { Logger } from '../log/logger.js';

export interface HubPluginsOptions {
  readonly plugins: readonly DeclaredPlugin[];
  /** The environment of the hub, of which a plug-in gets what it names. */
  readonly environment: Readonly<Record<string, string>>;
  /** The tools of a registered server, with everything that the hub does around a call. */
  readonly serverTools: (server: string) => ToolCaller;
  readonly log: Logger;
}

const NOTHING_KNOWN = { version: null, description: null, actions: [] };

const known = ({
  version,
  description,
  actions,
}: PluginMetadata): Pick<PluginView, 'version' | 'description' | 'actions'> => ({
  version,
  description,
  actions: actions.map(({ name, aliases, required }) => ({ name, aliases: [...aliases], required: [...required] })),
});

const missing = ({ name, module }: DeclaredPlugin, hint: string, cause?: unknown): PlugboardError =>
  new PlugboardError('CONFIG_INVALID', `The module "${module}" of the plug-in "${name}" does not exist.`, {
    hint,
    cause,
  });

/** The file of a plug-in. Throws CONFIG_INVALID when there is none. */
const pluginFileOf = (plugin: DeclaredPlugin): string => {
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

/** The plug-ins that the configuration file names: loaded with their first use, each bounded by its deadline. */
export class HubPlugins implements Plugins, AsyncDisposable {
  readonly #options: HubPluginsOptions;
  readonly #host: PluginHost;

  constructor(options: HubPluginsOptions) {
    this.#options = options;
    const { plugins, environment, serverTools } = options;
    const find = (name: string): DeclaredPlugin | undefined => plugins.find((plugin) => plugin.name === name);
    this.#host = createPluginHost({
      names: plugins.map(({ name }) => name),
      fileOf: (name) => pluginFileOf(this.#named(name)),
      deadlineOf: (name) => find(name)?.deadlineMs,
      configOf: (name) => {
        const { options: settings, env, server } = this.#named(name);
        return {
          settings,
          env: Object.fromEntries(env.map((variable) => [variable, environment[variable]])),
          ...(server === undefined ? {} : { server: serverTools(server) }),
        };
      },
    });
  }

  async list(signal: AbortSignal, server?: string): Promise<readonly PluginView[]> {
    const asked = this.#options.plugins.filter((plugin) => server === undefined || plugin.server === server);
    return Promise.all(asked.map((plugin) => this.#look(plugin, signal)));
  }

  async run(
    name: string,
    { action, parameters = {}, context }: PluginRun,
    signal: AbortSignal,
  ): Promise<PluginOutcome> {
    this.#named(name);
    const request = { request_id: randomUUID(), timestamp: new Date().toISOString(), action, parameters, context };
    const response = await this.#host.execute(name, request, signal);
    return { ...response, metadata: { ...response.metadata } };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve(this.#host[Symbol.asyncDispose]());
  }

  async #look(plugin: DeclaredPlugin, signal: AbortSignal): Promise<PluginView> {
    const { name, module, server = null } = plugin;
    try {
      return { name, module, server, state: 'ready', ...known(await this.#host.metadata(name, signal)) };
    } catch (thrown) {
      const error = toPlugboardError(thrown);
      this.#options.log.warn('A plug-in failed.', {
        plugin: name,
        code: error.code,
        reason: error.message,
        err: error.cause,
      });
      return { name, module, server, state: 'failing', ...NOTHING_KNOWN, error: error.toJSON() };
    }
  }

  #named(name: string): DeclaredPlugin {
    const found = this.#options.plugins.find((plugin) => plugin.name === name);
    if (found !== undefined) return found;
    throw new PlugboardError('NOT_FOUND', `There is no plug-in "${name.slice(0, 64)}".`, {
      hint: {
        api: 'GET /v1/plugins lists them; `plugins` in the configuration file of the hub names them.',
        cli: '`plugboard plugin list` shows them; `plugins` in plugboard.json names them.',
      },
    });
  }
}
