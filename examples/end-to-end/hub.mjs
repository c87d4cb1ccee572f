// What every example here shares: where the hub is, which era to speak, and a client of the official SDK.
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const { values } = parseArgs({
  options: {
    hub: { type: 'string', default: 'http://127.0.0.1:2091' },
    era: { type: 'string', default: 'modern' },
  },
});

export const HUB = values.hub;
const mode = values.era === 'legacy' ? 'legacy' : { pin: '2026-07-28' };

/** The admin API wants a key, also on this machine: the running hub leaves one where only its owner can read it. */
const localKey = async () => {
  const home = process.env.PLUGBOARD_HOME ?? join(homedir(), '.plugboard');
  return JSON.parse(await readFile(join(home, 'hub.json'), 'utf8')).key;
};

/** One request to the admin API. */
export const admin = async (method, path, body) =>
  fetch(HUB + path, {
    method,
    headers: {
      authorization: `Bearer ${process.env.PLUGBOARD_API_KEY ?? (await localKey())}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

/** Connects to an endpoint of the hub, hands the client to `work`, and closes it whatever happens. */
export const withClient = async (path, work) => {
  const client = new Client({ name: 'end-to-end-example', version: '1.0.0' }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL(path, HUB)));
  try {
    return await work(client);
  } finally {
    await client.close();
  }
};

/** The text of a tool's result; an error of the tool is an error here. */
export const textOf = (result) => {
  const text = result.content.map((part) => part.text ?? '').join('\n');
  if (result.isError) throw new Error(text);
  return text;
};

/** One step of an example: says what was seen, and stops the example when it is not what it should be. */
export const step = (name, holds, seen) => {
  if (!holds) {
    console.error(`✗ ${name}: ${typeof seen === 'string' ? seen : JSON.stringify(seen)}`);
    process.exit(1);
  }
  console.log(`✓ ${name}`);
};
