import type { CallHistory, CallSummary, Toolset, ToolsetOffer } from '@plugboard/contract';

/** What the admin API shows of the data plane. */
export interface DataPlane {
  /** What the endpoint of a toolset offers now. */
  toolsetOffer(toolset: Toolset): ToolsetOffer | undefined;
  calls(): CallSummary;
  /** How calls of tools went in the last hour. */
  history(): CallHistory;
  /** Metrics in the text form of Prometheus. */
  metrics(): Promise<{ readonly contentType: string; readonly text: string }>;
}

/** A registry that nobody serves tools from. */
export const noDataPlane: DataPlane = {
  toolsetOffer: () => undefined,
  calls: () => ({
    since: new Date(0).toISOString(),
    slow_after_ms: 0,
    methods: [],
    tools: [],
    tools_left_out: 0,
  }),
  history: () => ({ period_seconds: 60, periods: [], outcomes: {}, servers: [], servers_left_out: 0 }),
  metrics: async () => ({ contentType: 'text/plain; version=0.0.4; charset=utf-8', text: '' }),
};
