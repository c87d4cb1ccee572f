import { settledWithin } from '@plugboard/base';
import { PlugboardError } from '@plugboard/contract';
import { withinDeadline } from './hook-deadline.js';
import { waitWithSignal } from '../deadline/wait-with-signal.js';
import { findPlugins, loadPlugin, versionOf, type PluginFile } from './plugin-files.js';
import { invalidRequest, respondError } from './plugin-response.js';
import type { Plugin, PluginConfig, PluginMetadata, PluginRequest, PluginResponse } from './plugin.js';

/** Plug-ins that are files named `<name>.plugin.mjs` in a directory. */
interface PluginDirectory {
  readonly directory: string;
}

/** Plug-ins that somebody names, wherever they are. */
interface NamedPlugins {
  readonly names: readonly string[];
  /** Throws when there is no such file. */
  readonly fileOf: (name: string) => string;
}

export type PluginHostOptions = (PluginDirectory | NamedPlugins) & PluginHostSettings;

interface PluginHostSettings {
  readonly configOf: (name: string) => PluginConfig | Promise<PluginConfig>;
  /** Checks before each use whether the file has changed, and reloads it. */
  readonly reload?: boolean | undefined;
  /** How long the start of a plug-in and each action may take; as long as they want when undefined. */
  readonly deadlineOf?: ((name: string) => number | undefined) | undefined;
}

/** Plug-ins: found by name, loaded with their first use, kept until the end. */
export interface PluginHost extends AsyncDisposable {
  names(): Promise<readonly string[]>;
  metadata(name: string, signal: AbortSignal): Promise<PluginMetadata>;
  /** Never throws: what goes wrong is in the response. */
  execute(name: string, request: PluginRequest, signal: AbortSignal): Promise<PluginResponse>;
}

const SHUTDOWN_MS = 5000;

interface Loaded {
  readonly version: string;
  readonly ready: Promise<Plugin>;
  users: number;
  retired: boolean;
}

export const createPluginHost = (options: PluginHostOptions): PluginHost => {
  const loaded = new Map<string, Loaded>();
  const life = new AbortController();

  const names = async (): Promise<readonly string[]> =>
    'names' in options ? options.names : (await findPlugins(options.directory)).map((file) => file.name);
  const fileOf = async (name: string): Promise<PluginFile> => {
    if ('names' in options) return { name, path: options.fileOf(name) };
    const file = (await findPlugins(options.directory)).find((candidate) => candidate.name === name);
    if (file !== undefined) return file;
    throw new PlugboardError('NOT_FOUND', `There is no plug-in "${name}".`, {
      hint: 'A plug-in is a file named <name>.plugin.mjs in the directory of plug-ins.',
    });
  };
  const bounded = <T>(
    plugin: string,
    what: string,
    parent: AbortSignal,
    hook: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> => {
    const ms = options.deadlineOf?.(plugin);
    return ms === undefined ? hook(parent) : withinDeadline({ plugin, what, ms, parent }, hook);
  };
  const begin = (file: PluginFile, version: string): Promise<Plugin> =>
    bounded(file.name, 'start', life.signal, async (signal) => {
      const plugin = await loadPlugin(file, version);
      await plugin.initialize(await options.configOf(file.name), signal);
      return plugin;
    });
  const end = async (entry: Loaded): Promise<void> => {
    const plugin = await entry.ready.catch(() => undefined);
    // A plug-in that does not end, or fails to, keeps nobody from ending.
    await settledWithin(
      SHUTDOWN_MS,
      Promise.resolve(plugin?.shutdown()).catch(() => undefined),
    );
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
    // Another caller may have loaded it meanwhile.
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
    names,
    metadata: (name, signal) => use(name, signal, (plugin) => Promise.resolve(plugin.metadata())),
    async execute(name, request, signal) {
      try {
        return await use(name, signal, async (plugin) => {
          const flaws = plugin.validateRequest(request);
          if (flaws.length > 0) throw invalidRequest(flaws);
          return bounded(name, `finish "${request.action}"`, signal, (within) => plugin.execute(request, within));
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
