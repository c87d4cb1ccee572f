import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { httpBytes, type HttpAnswer } from './http-bytes.js';

/** One step of a byte script. `end` closes in good order, `cut` at once and both ways, `hang` says nothing more. */
export type PlayStep =
  | { readonly write: string | Uint8Array }
  | { readonly waitMs: number }
  /** Goes on when this is settled. */
  | { readonly until: Promise<unknown> }
  | 'end'
  | 'cut'
  | 'hang';

/** What a request is answered with: a whole answer, or exact bytes in exact steps. */
export type Play = HttpAnswer | readonly PlayStep[];

const isScript = (play: Play): play is readonly PlayStep[] => Array.isArray(play);

const write = (socket: Socket, bytes: string | Uint8Array): Promise<void> =>
  new Promise((resolve) => {
    if (socket.destroyed) return resolve();
    socket.once('close', resolve);
    socket.write(bytes, () => {
      socket.off('close', resolve);
      resolve();
    });
    return undefined;
  });

const playStep = async (socket: Socket, step: PlayStep, gone: AbortSignal): Promise<void> => {
  if (step === 'end') socket.end();
  else if (step === 'cut') socket.resetAndDestroy();
  else if (step === 'hang') await new Promise<void>((resolve) => socket.once('close', () => resolve()));
  else if ('write' in step) await write(socket, step.write);
  else if ('waitMs' in step) await sleep(step.waitMs, undefined, { signal: gone }).catch(() => undefined);
  else await step.until.catch(() => undefined);
};

export const playOn = async (socket: Socket, play: Play): Promise<void> => {
  const steps: readonly PlayStep[] = isScript(play) ? play : [{ write: httpBytes(play) }];
  const gone = new AbortController();
  const onClose = (): void => gone.abort();
  socket.once('close', onClose);
  try {
    for (const step of steps) {
      if (socket.destroyed) return;
      await playStep(socket, step, gone.signal);
    }
  } finally {
    socket.off('close', onClose);
  }
};
