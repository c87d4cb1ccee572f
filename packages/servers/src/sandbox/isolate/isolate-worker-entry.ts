import { parentPort, workerData } from 'node:worker_threads';
import { evaluate } from './evaluate.js';
import type { FromWorker, ToWorker, WorkerData } from './worker-messages.js';

const { wasm } = workerData as WorkerData;
const port = parentPort;
if (port === null) throw new Error('This module is the body of a worker thread.');

const post = (message: FromWorker, transfer: readonly ArrayBuffer[] = []): void =>
  port.postMessage(message, [...transfer]);

const perform = async ({ job }: ToWorker): Promise<void> => {
  const outcome = await evaluate(job, { wasm, say: (line) => post({ kind: 'line', line }) });
  const memory = outcome.kind === 'stopped' ? undefined : outcome.state?.memory.buffer;
  post({ kind: 'outcome', outcome }, memory instanceof ArrayBuffer ? [memory] : []);
};

port.on('message', (message: ToWorker) => void perform(message));
post({ kind: 'ready' });
