import { parentPort, workerData } from 'node:worker_threads';
import { evaluate } from './evaluate.js';
import type { FromWorker, ToWorker, WorkerData } from './worker-messages.js';

const { engine } = workerData as WorkerData;
const port = parentPort;
if (port === null) throw new Error('This module is the body of a worker thread.');

const post = (message: FromWorker, transfer: readonly ArrayBuffer[] = []): void =>
  port.postMessage(message, [...transfer]);

type Settle = (text: string) => void;
/** Questions of the run in progress that the other thread has not answered yet. */
const open = new Map<number, Settle>();
let lastCall = 0;

const askIn =
  (run: number) =>
  (text: string): Promise<string> =>
    new Promise((resolve) => {
      lastCall += 1;
      open.set(lastCall, resolve);
      post({ kind: 'question', run, call: lastCall, text });
    });

const perform = async ({ job, run }: Extract<ToWorker, { kind: 'job' }>): Promise<void> => {
  open.clear();
  const outcome = await evaluate(job, { engine, say: (line) => post({ kind: 'line', line }), answer: askIn(run) });
  const memory = outcome.kind === 'stopped' ? undefined : outcome.state?.memory.buffer;
  post({ kind: 'outcome', outcome }, memory instanceof ArrayBuffer ? [memory] : []);
};

port.on('message', (message: ToWorker) => {
  if (message.kind === 'job') {
    void perform(message);
  } else {
    open.get(message.call)?.(message.text);
    open.delete(message.call);
  }
});
post({ kind: 'ready' });
