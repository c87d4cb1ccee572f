import type { CommandContext } from './command/command-context.js';
import { type HubClient, hubClient } from '../hub-api/client/hub-client.js';
import type { ProcessContext, OutputStream } from '../process/process-context.js';
import { createOutput } from '../terminal/output.js';
import type { SharedOptions } from './command/shared-options.js';
import type { CliPorts } from './run-cli.js';
import { settingsFor } from './command/settings-for.js';

const once = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
};

export interface OpenedContext {
  readonly context: CommandContext;
  close(): Promise<void>;
}

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const SHOW_AFTER_MS = 1000;
const FRAME_MS = 100;
const CLEAR_LINE = '\r\u001B[2K';

interface ProgressOptions {
  readonly stream: OutputStream;
  readonly enabled: boolean;
}

/** Shows that something is in progress once it takes longer than a second, and leaves no trace. */
export const withProgress = async <T>(
  label: string,
  { stream, enabled }: ProgressOptions,
  work: () => Promise<T>,
): Promise<T> => {
  if (!enabled || !stream.isTTY) return work();
  const started = Date.now();
  let frame = 0;
  const timer = setInterval(() => {
    const elapsed = Date.now() - started;
    if (elapsed < SHOW_AFTER_MS) return;
    frame += 1;
    stream.write(`${CLEAR_LINE}${FRAMES[frame % FRAMES.length] ?? ''} ${label} ${Math.floor(elapsed / 1000)} s`);
  }, FRAME_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    if (frame > 0) stream.write(CLEAR_LINE);
  }
};

/** The context of one command: settings are read and the hub is opened when first asked for. */
export const commandContext = (process: ProcessContext, common: SharedOptions, ports: CliPorts): OpenedContext => {
  const out = createOutput(process, { json: common.json === true, quiet: common.quiet === true });
  const settings = once(() => settingsFor(process, { home: common.home, config: common.config }));
  let opened: Promise<HubClient> | undefined;
  const hub = (): Promise<HubClient> => (opened ??= ports.openHub(process, common.hub, settings).then(hubClient));
  return {
    context: {
      process,
      out,
      settings,
      hub,
      waiting: (label, work) => withProgress(label, { stream: process.stderr, enabled: !out.json && !out.quiet }, work),
    },
    close: async () => {
      // A hub that could not be opened was reported already, by the command that asked for it.
      const client = await opened?.catch(() => undefined);
      await client?.api.close();
    },
  };
};
