import type { ProcessContext } from '../process/process-context.js';
import type { Settings } from '../settings/settings.js';
import { styleFor, wantsColour } from '../terminal/style.js';
import { createLogger, type Logger } from './logger.js';
import { readableLine } from './readable-log.js';

/** The log of this process on stderr: readable lines for a terminal, JSON for everything else, unless a format was chosen. */
export const processLog = (
  { logLevel, logFormat }: Pick<Settings, 'logLevel' | 'logFormat'>,
  { rawStderr, stderr, env }: Pick<ProcessContext, 'rawStderr' | 'stderr' | 'env'>,
): Logger => {
  const isReadable = logFormat === 'auto' ? stderr.isTTY : logFormat === 'readable';
  const style = styleFor(wantsColour(env, stderr.isTTY));
  return createLogger({
    level: logLevel,
    destination: rawStderr,
    readable: isReadable ? (line) => readableLine(line, style) : undefined,
  });
};
