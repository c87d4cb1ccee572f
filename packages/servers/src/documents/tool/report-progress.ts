import type { ServerContext } from '@modelcontextprotocol/server';
import type { ReportProgress } from '../convert/convert.js';

/** Tells the client how far a conversion is, when it asked to be told. */
export const reportProgress = ({ mcpReq }: ServerContext): ReportProgress => {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => undefined;
  let last = 0;
  return (done, total) => {
    if (done <= last) return;
    last = done;
    const params = { progressToken, progress: done, total, message: `${done} of ${total}` };
    // A client that left needs no progress.
    void mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
};
