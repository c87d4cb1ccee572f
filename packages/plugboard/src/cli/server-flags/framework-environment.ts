import type { AddressFlags } from './address-options.js';
import type { CommandContext } from '../command/command-context.js';
import { invalidArgument } from '../command/invalid-argument.js';
import { MOST_SECONDS, MOST_WAIT_SECONDS } from '../command/parse-number.js';

type Environment = CommandContext['process']['env'];

const refuse = (name: string, text: string, most: number): never => {
  throw invalidArgument(
    `${name} is not a number of seconds: "${text}".`,
    `Set ${name} to a number such as 30, at most ${most}, or unset it.`,
  );
};

/** A positive number of seconds in the environment. */
export const secondsIn = (env: Environment, name: string, most = MOST_SECONDS): number | undefined => {
  const text = env[name];
  if (text === undefined || text === '') return undefined;
  const seconds = Number(text);
  return seconds > 0 && seconds <= most ? seconds : refuse(name, text, most);
};

/** The budgets of a target with the time for an answer: that of the flag, else that of the environment. */
export const withTimeout = <Budgets extends { readonly requestMs: number }>(
  budgets: Budgets,
  env: Environment,
  flag?: number,
): Budgets => {
  const seconds = flag ?? secondsIn(env, 'TEST_TIMEOUT', MOST_WAIT_SECONDS);
  return seconds === undefined ? budgets : { ...budgets, requestMs: Math.ceil(seconds * 1_000) };
};

/** Where the framework expects its servers; an address without a path means its MCP endpoint. */
const defaultUrl = (env: Environment): string | undefined => {
  const name = ['MCP_GATEWAY_URL', 'DOCLING_MCP_URL'].find((one) => (env[one] ?? '') !== '');
  if (name === undefined) return undefined;
  const given = env[name] ?? '';
  // "localhost:3000" can be parsed, too: as a scheme.
  if (!/^https?:/iu.test(given) || !URL.canParse(given)) {
    throw invalidArgument(
      `${name} is not an address: "${given}".`,
      `Set ${name} to a URL such as http://127.0.0.1:2091/mcp, or name the target on the command line.`,
    );
  }
  const url = new URL(given);
  if (url.pathname === '/') url.pathname = '/mcp';
  return url.href;
};

/** The target of the environment, when the command line names none. */
export const withDefaultTarget = <Flags extends AddressFlags>(address: Flags, env: Environment): Flags => {
  if (address.target.length > 0) return address;
  const url = defaultUrl(env);
  return url === undefined ? address : { ...address, target: [url] };
};
