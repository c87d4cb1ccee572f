// Watches the process it runs in. V8's own limit knows only its heap; unpacked bytes live outside of it.
import { workerData } from 'node:worker_threads';

const EVERY_MS = 50;

const parent = process.ppid;

setInterval(() => {
  if (process.memoryUsage.rss() > Number(workerData) || process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
}, EVERY_MS);
