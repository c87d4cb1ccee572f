// What the official suite and MCPJam find on the servers behind HTTP, beside what the referee finds.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { prepare, serve } from './launch.mjs';
import { officialSuite } from './official-suite.mjs';

const ENTRY = path.join(import.meta.dirname, 'mcpjam-entry.mjs');
const JAM_MS = 180_000;

const mcpjam = async (server) => {
  const prepared = await prepare(server);
  let running;
  try {
    running = await serve(prepared);
    const child = spawn(process.execPath, [ENTRY, prepared.url], {
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: JAM_MS,
      env: { ...process.env, ...prepared.mark },
    });
    const output = await text(child.stdout);
    return JSON.parse(output.trim().split('\n').at(-1) ?? '');
  } finally {
    running?.stop();
    prepared.remove();
  }
};

const orProblem = (promise) => promise.catch((error) => ({ problem: String(error.message ?? error).slice(0, 200) }));

export const compareSuites = async (servers) => {
  const compared = [];
  for (const server of servers.filter(({ transport }) => transport === 'streamable-http')) {
    const official = await orProblem(officialSuite(server));
    const jam = await orProblem(mcpjam(server));
    compared.push({ name: server.name, official, mcpjam: jam });
    console.log(
      `${server.name}: official ${official.failed?.length ?? '?'} failed, MCPJam ${jam.failed?.length ?? '?'} failed`,
    );
  }
  return compared;
};
