import { resolve } from 'node:path';
import { type CheckTarget, labelOf, readOffer, type Offer } from '@plugboard/check';
import { serverOffer, type ServerView } from '@plugboard/contract';
import { childEnvironment } from '@plugboard/client';
import { readCheckTarget } from '../check/check-target.js';
import { isFile } from '../input/is-file.js';
import { wordsOf } from '../input/words-of.js';
import { type AddressFlags, addressOf } from '../server-flags/address-options.js';
import type { CommandContext } from '../command/command-context.js';
import { readAnswer } from '../../hub-api/read-answer.js';

/** A server whose offer is locked or compared. */
export interface Subject {
  /** How the operator or the registry calls it; undefined when only the server itself gives a name. */
  readonly name: string | undefined;
  readonly label: string;
  /** What it is examined by, unless the hub does it. */
  readonly target: CheckTarget | undefined;
  readonly read: () => Promise<Offer>;
}

const TRANSPORTS = { stdio: 'stdio', sse: 'sse', streamable_http: 'streamable-http' } as const satisfies Record<
  ServerView['mcp_server_type'],
  Offer['transport']
>;

/** A registered server is read by the hub, which has its secrets. */
const readRegistered = async ({ hub, waiting }: CommandContext, name: string): Promise<Offer> => {
  const client = await hub();
  const server = await client.server(name);
  const answer = await waiting(`Reading the tools of ${name}`, () =>
    client.api.request('GET', `/v1/mcp-servers/${server.id}/offer`),
  );
  const { tools, instructions } = readAnswer(serverOffer, answer, 'what the server offers');
  return {
    tools,
    instructions,
    transport: TRANSPORTS[server.mcp_server_type],
    era: 'both',
  };
};

export const registeredSubject = (context: CommandContext, name: string): Subject => ({
  name,
  label: name,
  target: undefined,
  read: () => readRegistered(context, name),
});

/** The server that the words of a command line mean. */
export const namedSubject = async (context: CommandContext, address: AddressFlags): Promise<Subject> => {
  const target = await readCheckTarget(context, address);
  const { name, url, command } = target;
  if (url === undefined && command === undefined && name !== undefined) return registeredSubject(context, name);
  const { process, waiting } = context;
  const baseEnv = childEnvironment({ inherited: process.env });
  return {
    name,
    label: labelOf(target),
    target,
    read: () => waiting('Reading its tools', () => readOffer(target, { signal: process.signal, baseEnv })),
  };
};

/** The server that the value of one option means; a command is quoted. */
export const quotedSubject = async (context: CommandContext, value: string): Promise<Subject> => {
  const isOne = !/\s/u.test(value) || (await isFile(resolve(context.process.cwd, value)));
  return namedSubject(context, addressOf(isOne ? [value] : wordsOf(value), {}));
};
