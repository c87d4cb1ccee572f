import type { HubClient } from '../../hub-api/client/hub-client.js';
import type { ProcessContext } from '../../process/process-context.js';
import type { Settings } from '../../settings/settings.js';
import type { Output } from '../../terminal/output.js';

/** What every command is given; the hub is opened only by those that ask for it, and closed for them. */
export interface CommandContext {
  readonly process: ProcessContext;
  readonly out: Output;
  readonly settings: () => Promise<Settings>;
  readonly hub: () => Promise<HubClient>;
  /** Shows on a terminal that `work` is in progress, once it takes longer than a second. */
  readonly waiting: <T>(label: string, work: () => Promise<T>) => Promise<T>;
}
