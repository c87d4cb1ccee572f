import type { CommandContext } from './command/command-context.js';
import { type HubClient, hubClient } from '../hub-api/client/hub-client.js';
import type { ProcessContext } from '../process/process-context.js';
import { createOutput } from '../terminal/output.js';
import { withProgress } from '../terminal/progress.js';
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
