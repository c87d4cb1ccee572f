// Exits with 0 when the program on this machine answers /health: `node healthcheck.mjs [port]`.
const port = process.argv[2] ?? process.env.PLUGBOARD_PORT ?? '2091';
const answered = await fetch(`http://127.0.0.1:${port}/health`, { signal: AbortSignal.timeout(2500) }).then(
  (response) => response.ok,
  () => false,
);
process.exit(answered ? 0 : 1);
