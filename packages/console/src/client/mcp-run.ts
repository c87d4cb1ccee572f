import { useCallback, useEffect, useRef, useState } from 'react';
import { isJson, type Json } from '../api/json.js';
import { ApiError, toApiError } from '../api/api-error.js';
import type { McpCall, McpConnection, PassedMessage } from '../api/mcp/mcp-connection.js';
import { logLine, type Progress, progressIn } from './heard.js';

/** The server asks the person at the page something, and waits. */
export interface Question {
  readonly id: number;
  readonly method: string;
  readonly params: Json;
  readonly answer: (result: unknown) => void;
  /** The person does not want to answer: the server gets an error. */
  readonly refuse: () => void;
}

export interface Outcome {
  readonly result: unknown;
  readonly ms: number;
}

const MAX_LOGS = 200;
/** A server can send progress without end: the first messages tell how it began, the last ones what became of it. */
const MAX_MESSAGES = 200;

/** A message, and how long after the start of the request it passed. */
export interface TimedMessage extends PassedMessage {
  readonly id: number;
  readonly ms: number;
}

const withMessage = (before: readonly TimedMessage[], next: TimedMessage): readonly TimedMessage[] => {
  const kept = before.length < MAX_MESSAGES ? before : before.toSpliced(MAX_MESSAGES / 2, 1);
  return [...kept, next];
};

const cancelled = (): ApiError => new ApiError(0, { code: 'CANCELLED', message: 'You cancelled the call.' });

/** Questions wait for each other: a server may ask several at once. */
const useQuestions = () => {
  const [questions, setQuestions] = useState<readonly Question[]>([]);
  const last = useRef(0);
  const ask = useCallback(
    (method: string, params: Json): Promise<unknown> =>
      new Promise((resolve, reject) => {
        last.current += 1;
        const id = last.current;
        const settle = (act: () => void): void => {
          setQuestions((before) => before.filter((one) => one.id !== id));
          act();
        };
        const question: Question = {
          id,
          method,
          params,
          answer: (result) => settle(() => resolve(result)),
          refuse: () => settle(() => reject(new Error('The user rejected the request.'))),
        };
        setQuestions((before) => [...before, question]);
      }),
    [],
  );
  return { question: questions[0], ask, withdraw: useCallback(() => setQuestions([]), []) };
};

/** A request of this page to a server: its progress, its log, what the server asks meanwhile, and its outcome. */
export const useMcpRun = (mcp: McpConnection) => {
  const { question, ask, withdraw } = useQuestions();
  const [running, setRunning] = useState(false);
  const [progress, setProgress] = useState<Progress | undefined>();
  const [logs, setLogs] = useState<readonly string[]>([]);
  const [messages, setMessages] = useState<readonly TimedMessage[]>([]);
  const [outcome, setOutcome] = useState<Outcome | undefined>();
  const [error, setError] = useState<ApiError | undefined>();
  const current = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => current.current?.abort(), []);

  const start = async (method: string, params: Json): Promise<{ readonly ms: number; readonly failed: boolean }> => {
    current.current?.abort();
    const control = new AbortController();
    current.current = control;
    const isCurrent = (): boolean => current.current === control;
    setRunning(true);
    setProgress(undefined);
    setLogs([]);
    setMessages([]);
    setError(undefined);
    setOutcome(undefined);
    const startedAt = performance.now();
    const passed = (): number => performance.now() - startedAt;
    const call: McpCall = {
      signal: control.signal,
      onRequest: ask,
      onNotification: (heard, told) => {
        if (heard === 'notifications/progress') setProgress(progressIn(told));
        if (heard === 'notifications/message') setLogs((before) => [...before, logLine(told)].slice(-MAX_LOGS));
      },
    };
    let count = 0;
    const unwatch = mcp.watch((passedMessage) => {
      count += 1;
      const timed: TimedMessage = { ...passedMessage, id: count, ms: passed() };
      if (isCurrent()) setMessages((before) => withMessage(before, timed));
    });
    try {
      const result = await mcp.request(method, params, call);
      if (isCurrent()) setOutcome({ result, ms: passed() });
      return { ms: passed(), failed: isJson(result) && result['isError'] === true };
    } catch (thrown) {
      if (isCurrent()) setError(control.signal.aborted ? cancelled() : toApiError(thrown));
      return { ms: passed(), failed: true };
    } finally {
      unwatch();
      if (isCurrent()) {
        setRunning(false);
        withdraw();
      }
    }
  };
  return { start, cancel: () => current.current?.abort(), running, progress, logs, messages, question, outcome, error };
};

export type McpRun = ReturnType<typeof useMcpRun>;
