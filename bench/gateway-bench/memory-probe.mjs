// Loaded into a hub before it starts: tells what its memory holds, after everything that nobody needs was collected.
process.on('message', (message) => {
  if (message !== 'memory') return;
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  process.send({ bytes: heapUsed + external });
});
process.channel?.unref();
