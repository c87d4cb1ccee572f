// SOCIAL_COOKIE=valid-cookie node examples/plugin-social/run.mjs person username=Ada
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { createPluginHost } from '@plugboard/client';
import { fakeServerCommand } from '@plugboard/testing';

const [action = 'person', ...pairs] = process.argv.slice(2);
const parameters = Object.fromEntries(pairs.map((pair) => pair.split('=', 2)));

// The real server's command would stand here; this one plays a social network that lets in `valid-cookie`.
const { command, args } = fakeServerCommand({ fixture: 'social-network' });
const host = createPluginHost({
  directory: fileURLToPath(new URL('plugins', import.meta.url)),
  configOf: () => ({ settings: { command, args }, env: process.env }),
});
try {
  const request = { request_id: randomUUID(), timestamp: new Date().toISOString(), action, parameters };
  const response = await host.execute('social', request, AbortSignal.timeout(60_000));
  console.log(JSON.stringify(response, undefined, 2));
  process.exitCode = response.status === 'error' ? 1 : 0;
} finally {
  await host[Symbol.asyncDispose]();
}
