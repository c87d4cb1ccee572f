import type { MonitoredServer, MonitorHistory, MonitorView } from '@plugboard/contract';

export interface HistoryRead {
  readonly hours: number;
  readonly bucketMinutes: number;
}

/** What the hub knows from probing servers. A server is named by its id or its name; failures are PlugboardErrors. */
export interface Monitor {
  view(): Promise<MonitorView>;
  /** Rejects with SERVER_NOT_FOUND. */
  history(server: string, read: HistoryRead): Promise<MonitorHistory>;
  /** Probes a server now, whether or not it is probed regularly. */
  probe(server: string, signal: AbortSignal): Promise<MonitoredServer>;
}
