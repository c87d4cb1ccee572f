import type { McpClientError } from '../error/client-error.js';
import type { ExitReport } from '../error/exit-report.js';

/** What a supervised server is doing. Times are of the injected clock. */
export type ProcessState =
  | {
      readonly status: 'stopped';
      readonly lastExit?: ExitReport | undefined;
      readonly lastError?: McpClientError | undefined;
    }
  | { readonly status: 'starting'; readonly attempt: number }
  | { readonly status: 'ready'; readonly pid: number; readonly port?: number | undefined; readonly since: number }
  | { readonly status: 'stopping'; readonly pid: number }
  | { readonly status: 'backing-off'; readonly restartAt: number; readonly lastError: McpClientError }
  | {
      readonly status: 'crash-loop';
      readonly retryAt: number;
      readonly failures: number;
      readonly lastError: McpClientError;
    }
  | { readonly status: 'disposed' };
