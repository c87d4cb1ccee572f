import type { ToolView } from '@plugboard/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Json } from '../api/json.js';
import { forgetRuns, keepRun, keptRuns, MAX_RUNS, type PastRun } from '../api/kept-runs.js';
import { useMcp } from '../api/mcp/use-mcp.js';
import { useSession } from '../api/session.js';
import { useMcpRun } from '../client/mcp-run.js';

/** Runs of one tool: the present one, and those before. This visit has them whole, the browser keeps them without secrets. */
export const useToolRun = (tool: ToolView) => {
  const mcp = useMcp(`/servers/${encodeURIComponent(tool.metadata.mcp.server_name)}/mcp`);
  const run = useMcpRun(mcp);
  const queries = useQueryClient();
  const owner = useSession().data?.principal ?? '';
  const historyKey = ['history', tool.id];
  const [history, setHistory] = useState<readonly PastRun[]>(
    () => queries.getQueryData(historyKey) ?? keptRuns(owner, tool.id),
  );
  const [last, setLast] = useState<{ readonly id: number; readonly args: Json } | undefined>();
  const remember = (runs: readonly PastRun[]): void => {
    queries.setQueryData(historyKey, runs);
    setHistory(runs);
  };
  const call = async (args: Json): Promise<void> => {
    setLast((before) => ({ id: (before?.id ?? 0) + 1, args }));
    const outcome = await run.start('tools/call', { name: tool.upstream_name, arguments: args });
    const entry: PastRun = { id: Date.now(), at: new Date().toISOString(), args, hidden: [], ...outcome };
    remember([entry, ...(queries.getQueryData<readonly PastRun[]>(historyKey) ?? history)].slice(0, MAX_RUNS));
    keepRun({ owner, toolId: tool.id, schema: tool.input_schema }, entry);
  };
  const clear = (): void => {
    remember([]);
    forgetRuns(owner, tool.id);
  };
  return { mcp, run, call, last, history, clear };
};
