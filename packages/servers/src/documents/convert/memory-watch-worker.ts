// Watches the process it runs in. V8's own limit knows only its heap; unpacked bytes live outside of it.
const MAX_RSS_BYTES = 1024 * 1024 * 1024;
const EVERY_MS = 50;

const parent = process.ppid;

setInterval(() => {
  if (process.memoryUsage.rss() > MAX_RSS_BYTES || process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
}, EVERY_MS);
