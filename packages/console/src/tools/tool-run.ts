import type { ToolView } from '@plugboard/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiError, toApiError } from '../api/api-error.js';
import type { McpCall } from '../api/mcp/mcp-connection.js';
import { useMcp } from '../api/mcp/use-mcp.js';

type Arguments = Readonly<Record<string, unknown>>;

export interface Progress {
  readonly value: number;
  readonly total: number | undefined;
  readonly message: string;
}

/** The server asks the person at the page something, and waits. */
export interface Question {
  readonly method: string;
  readonly params: Arguments;
  readonly answer: (result: unknown) => void;
}

export interface PastRun {
  readonly id: number;
  readonly at: string;
  readonly args: Arguments;
  readonly ms: number;
  readonly failed: boolean;
}

const MAX_HISTORY = 20;
const MAX_LOGS = 200;

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

const progressIn = (params: Arguments): Progress => ({
  value: Number(params['progress']) || 0,
  total: typeof params['total'] === 'number' ? params['total'] : undefined,
  message: textIn(params['message']),
});

const logLine = (params: Arguments): string =>
  `${textIn(params['level']) || 'info'}: ${textIn(params['data']) || JSON.stringify(params['data'])}`;

const cancelled = (): ApiError => new ApiError(0, { code: 'CANCELLED', message: 'You cancelled the call.' });

/** Runs of one tool: the one under way, its outcome, and those before. */
export const useToolRun = (tool: ToolView) => {
  const mcp = useMcp(`/servers/${encodeURIComponent(tool.metadata.mcp.server_name)}/mcp`);
  const queries = useQueryClient();
  const historyKey = ['history', tool.id];
  const [history, setHistory] = useState<readonly PastRun[]>(queries.getQueryData(historyKey) ?? []);
  const [running, setRunning] = useState(false);
  const [progress, setProgress] = useState<Progress | undefined>();
  const [logs, setLogs] = useState<readonly string[]>([]);
  const [question, setQuestion] = useState<Question | undefined>();
  const [outcome, setOutcome] = useState<{ readonly result: unknown; readonly ms: number } | undefined>();
  const [error, setError] = useState<ApiError | undefined>();
  const under = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => under.current?.abort(), []);

  const remember = (args: Arguments, ms: number, failed: boolean): void => {
    const entry: PastRun = { id: Date.now(), at: new Date().toISOString(), args, ms, failed };
    setHistory((before) => {
      const after = [entry, ...before].slice(0, MAX_HISTORY);
      queries.setQueryData(historyKey, after);
      return after;
    });
  };
  const ask = (method: string, params: Arguments): Promise<unknown> =>
    new Promise((resolve) => {
      const answer = (result: unknown): void => {
        setQuestion(undefined);
        resolve(result);
      };
      setQuestion({ method, params, answer });
    });
  const hearing: McpCall = {
    onRequest: ask,
    onNotification: (method, params) => {
      if (method === 'notifications/progress') setProgress(progressIn(params));
      if (method === 'notifications/message') setLogs((before) => [...before, logLine(params)].slice(-MAX_LOGS));
    },
  };
  const start = (args: Arguments): void => {
    const control = new AbortController();
    under.current = control;
    setRunning(true);
    setProgress(undefined);
    setLogs([]);
    setError(undefined);
    setOutcome(undefined);
    const startedAt = performance.now();
    const passed = (): number => performance.now() - startedAt;
    const perform = async (): Promise<void> => {
      try {
        const result = await mcp.request(
          'tools/call',
          { name: tool.upstream_name, arguments: args },
          { ...hearing, signal: control.signal },
        );
        setOutcome({ result, ms: passed() });
        remember(args, passed(), false);
      } catch (thrown) {
        setError(control.signal.aborted ? cancelled() : toApiError(thrown));
        remember(args, passed(), true);
      } finally {
        setRunning(false);
        setQuestion(undefined);
      }
    };
    void perform();
  };
  return { start, cancel: () => under.current?.abort(), running, progress, logs, question, outcome, error, history };
};
