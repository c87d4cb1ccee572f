import type { ToolView } from '@plugboard/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useMcp } from '../api/mcp/use-mcp.js';
import { useMcpRun } from '../client/mcp-run.js';

type Arguments = Readonly<Record<string, unknown>>;

export interface PastRun {
  readonly id: number;
  readonly at: string;
  readonly args: Arguments;
  readonly ms: number;
  readonly failed: boolean;
}

const MAX_HISTORY = 20;

/** Runs of one tool: the present one, and those before. */
export const useToolRun = (tool: ToolView) => {
  const mcp = useMcp(`/servers/${encodeURIComponent(tool.metadata.mcp.server_name)}/mcp`);
  const run = useMcpRun(mcp);
  const queries = useQueryClient();
  const historyKey = ['history', tool.id];
  const [history, setHistory] = useState<readonly PastRun[]>(queries.getQueryData(historyKey) ?? []);
  const [last, setLast] = useState<{ readonly id: number; readonly args: Arguments } | undefined>();
  const call = async (args: Arguments): Promise<void> => {
    setLast((before) => ({ id: (before?.id ?? 0) + 1, args }));
    const outcome = await run.start('tools/call', { name: tool.upstream_name, arguments: args });
    const entry: PastRun = { id: Date.now(), at: new Date().toISOString(), args, ...outcome };
    setHistory((before) => {
      const after = [entry, ...before].slice(0, MAX_HISTORY);
      queries.setQueryData(historyKey, after);
      return after;
    });
  };
  return { mcp, run, call, last, history };
};
