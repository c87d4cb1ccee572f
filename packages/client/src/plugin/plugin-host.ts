import { PlugboardError } from '@plugboard/contract';
import { waitWithSignal } from '../deadline/wait-with-signal.js';
import { findPlugins, loadPlugin, versionOf, type PluginFile } from './plugin-files.js';
import { invalidRequest, respondError } from './plugin-response.js';
import type { Plugin, PluginConfig, PluginMetadata, PluginRequest, PluginResponse } from './plugin.js';

export interface PluginHostOptions {
  /** Where files named `<name>.plugin.mjs` are looked for. */
  readonly directory: string;
  readonly configOf: (name: string) => PluginConfig | Promise<PluginConfig>;
  /** Looks before each use whether the file has changed, and loads it anew. */
  readonly reload?: boolean | undefined;
}

/** Plug-ins of a directory: found by name, loaded with their first use, kept until the end. */
export interface PluginHost extends AsyncDisposable {
  names(): Promise<readonly string[]>;
  metadata(name: string, signal: AbortSignal): Promise<PluginMetadata>;
  /** Never throws: what goes wrong is in the response. */
  execute(name: string, request: PluginRequest, signal: AbortSignal): Promise<PluginResponse>;
}

interface Loaded {
  readonly version: string;
  readonly ready: Promise<Plugin>;
  users: number;
  retired: boolean;
}

export const createPluginHost = (options: PluginHostOptions): PluginHost => {
  const loaded = new Map<string, Loaded>();
  const life = new AbortController();

  const fileOf = async (name: string): Promise<PluginFile> => {
    const file = (await findPlugins(options.directory)).find((candidate) => candidate.name === name);
    if (file !== undefined) return file;
    throw new PlugboardError('NOT_FOUND', `There is no plug-in "${name}".`, {
      hint: 'A plug-in is a file named <name>.plugin.mjs in the directory of plug-ins.',
    });
  };
  const begin = async (file: PluginFile, version: string): Promise<Plugin> => {
    const plugin = await loadPlugin(file, version);
    await plugin.initialize(await options.configOf(file.name), life.signal);
    return plugin;
  };
  const end = async (entry: Loaded): Promise<void> => {
    const plugin = await entry.ready.catch(() => undefined);
    await plugin?.shutdown().catch(() => undefined);
  };
  const retire = (name: string, entry: Loaded): void => {
    if (loaded.get(name) === entry) loaded.delete(name);
    entry.retired = true;
    if (entry.users === 0) void end(entry);
  };
  const load = (file: PluginFile, version: string): Loaded => {
    const entry: Loaded = { version, ready: begin(file, version), users: 0, retired: false };
    loaded.set(file.name, entry);
    // A failed start is not kept: the next use tries again.
    entry.ready.catch(() => loaded.get(file.name) === entry && loaded.delete(file.name));
    return entry;
  };
  const entryOf = async (name: string): Promise<Loaded> => {
    const known = loaded.get(name);
    if (known !== undefined && options.reload !== true) return known;
    const file = await fileOf(name);
    const version = await versionOf(file);
    // Somebody else may have loaded it in the meantime.
    const current = loaded.get(name);
    if (current?.version === version) return current;
    if (current !== undefined) retire(name, current);
    return load(file, version);
  };

  const use = async <T>(name: string, signal: AbortSignal, work: (plugin: Plugin) => Promise<T>): Promise<T> => {
    if (life.signal.aborted) throw new PlugboardError('CANCELLED', 'The plug-ins have been shut down.');
    const entry = await entryOf(name);
    entry.users += 1;
    try {
      return await work(await waitWithSignal(entry.ready, signal, 'not-executed'));
    } finally {
      entry.users -= 1;
      if (entry.retired && entry.users === 0) void end(entry);
    }
  };

  return {
    names: async () => (await findPlugins(options.directory)).map((file) => file.name),
    metadata: (name, signal) => use(name, signal, (plugin) => Promise.resolve(plugin.metadata())),
    async execute(name, request, signal) {
      try {
        return await use(name, signal, async (plugin) => {
          const flaws = plugin.validateRequest(request);
          if (flaws.length > 0) throw invalidRequest(flaws);
          return plugin.execute(request, signal);
        });
      } catch (thrown) {
        return respondError(request, thrown, { plugin: name });
      }
    },
    async [Symbol.asyncDispose]() {
      life.abort();
      const entries = [...loaded.values()];
      loaded.clear();
      await Promise.all(entries.map(end));
    },
  };
};
