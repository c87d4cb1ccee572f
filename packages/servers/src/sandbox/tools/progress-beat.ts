import type { ServerContext } from '@modelcontextprotocol/server';

const BEAT_MS = 1000;

export interface ProgressStep {
  readonly progress: number;
  readonly total?: number;
  readonly message: string;
}

/** Tells the client of progress if it asked for it; a client that left misses nothing. */
export const reporter = ({ mcpReq }: ServerContext): ((step: ProgressStep) => void) => {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => undefined;
  return (step) =>
    void mcpReq.notify({ method: 'notifications/progress', params: { progressToken, ...step } }).catch(() => undefined);
};

/** Says every second that the work goes on; the value always grows. */
export const beating = async <T>(context: ServerContext, message: string, work: () => Promise<T>): Promise<T> => {
  const report = reporter(context);
  let beats = 0;
  report({ progress: beats, message });
  const timer = setInterval(() => {
    beats += 1;
    report({ progress: beats, message: `${message}: ${beats} s` });
  }, BEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
};
