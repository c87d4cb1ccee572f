import { unwatchFile, watchFile } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { hintFor, toPlugboardError } from '@plugboard/contract';
import type { ProcessContext } from '../process/process-context.js';
import type { Settings } from '../settings/settings.js';
import { applyDeclared } from './declared-servers.js';
import type { SeedOptions } from './seed-servers.js';

export interface ConfigWatchOptions extends SeedOptions {
  readonly process: Pick<ProcessContext, 'onHangup'>;
  readonly settings: Settings;
  /** Reads file, environment and flags again. Rejects with CONFIG_INVALID. */
  readonly reload: () => Promise<Settings>;
}

/** Editors replace files and mounts swap links: looking at the file is surer than being told. */
const LOOK_EVERY_MS = 1000;

/** What is taken up while the hub runs; everything else needs another start. */
const LIVE: ReadonlySet<string> = new Set([
  'declaredServers',
  'declaredServices',
  'environment',
  'configFile',
  'logLevel',
]);

const changedSettings = (before: Settings, after: Settings): readonly string[] =>
  Object.keys(after).filter(
    (name) => !LIVE.has(name) && !isDeepStrictEqual(before[name as keyof Settings], after[name as keyof Settings]),
  );

/** Takes up a changed configuration file while the hub runs: when it changes, and at SIGHUP. */
export class ConfigWatch {
  readonly #options: ConfigWatchOptions;
  #settings: Settings;
  #work: Promise<void> = Promise.resolve();
  #stopHearing: (() => void) | undefined;
  readonly #look = (): void => this.#again();

  constructor(options: ConfigWatchOptions) {
    this.#options = options;
    this.#settings = options.settings;
  }

  /** Hears from now on, for a signal without a listener ends the process; reads nothing before `ready`. */
  start(ready: Promise<unknown>): void {
    this.#work = ready.then(() => undefined);
    this.#stopHearing = this.#options.process.onHangup?.(() => this.#again());
    const { configFile } = this.#settings;
    if (configFile !== undefined) watchFile(configFile, { interval: LOOK_EVERY_MS, persistent: false }, this.#look);
  }

  async stop(): Promise<void> {
    this.#stopHearing?.();
    const { configFile } = this.#options.settings;
    if (configFile !== undefined) unwatchFile(configFile, this.#look);
    await this.#work;
  }

  #again(): void {
    this.#work = this.#work.then(() => this.#reload());
  }

  async #reload(): Promise<void> {
    const { log, reload, signal } = this.#options;
    if (signal.aborted) return;
    try {
      const settings = await reload();
      const waiting = changedSettings(this.#settings, settings);
      if (settings.logLevel !== this.#settings.logLevel) log.setLevel?.(settings.logLevel);
      this.#settings = settings;
      log.info('The configuration was reloaded.', { servers: settings.declaredServers.length });
      if (waiting.length > 0) {
        log.warn('Some changed settings take effect at the next start.', { settings: waiting.join(', ') });
      }
      await applyDeclared(this.#options, settings);
    } catch (thrown) {
      const error = toPlugboardError(thrown);
      const { code, message } = error;
      log.error('The changed configuration is invalid. The previous one stays in effect.', {
        code,
        reason: message,
        hint: hintFor(error.toJSON(), 'cli'),
      });
    }
  }
}
