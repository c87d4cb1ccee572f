import type { OutputStream } from '../process/process-context.js';

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const SHOW_AFTER_MS = 1000;
const FRAME_MS = 100;
const CLEAR_LINE = '\r\u001B[2K';

export interface ProgressOptions {
  readonly stream: OutputStream;
  readonly enabled: boolean;
}

/** Shows that something is in progress once it takes longer than a second, and leaves no trace. */
export const withProgress = async <T>(
  label: string,
  { stream, enabled }: ProgressOptions,
  work: () => Promise<T>,
): Promise<T> => {
  if (!enabled || !stream.isTTY) return work();
  const started = Date.now();
  let frame = 0;
  const timer = setInterval(() => {
    const elapsed = Date.now() - started;
    if (elapsed < SHOW_AFTER_MS) return;
    frame += 1;
    stream.write(`${CLEAR_LINE}${FRAMES[frame % FRAMES.length] ?? ''} ${label} ${Math.floor(elapsed / 1000)} s`);
  }, FRAME_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    if (frame > 0) stream.write(CLEAR_LINE);
  }
};
