import type { Command } from 'commander';
import { collect } from '../command/define.js';
import type { CheckTargetFlags } from './check-target.js';

export type AddressOptions = Partial<Omit<CheckTargetFlags, 'target'>>;

/** The options of every command that is given the address of a server. */
export const addAddress = (command: Command): Command =>
  command
    .option('--sse', 'use the older HTTP+SSE transport')
    .option('--header <header>', 'a header to send, as "Name: value"; may be repeated', collect)
    .option('--token <token>', 'a bearer token; - reads it from standard input')
    .option('--env <name=value>', 'an environment variable of the command; may be repeated', collect)
    .option('--cwd <directory>', 'the working directory of the command');

export const addressOf = (target: readonly string[], options: AddressOptions): CheckTargetFlags => ({
  target,
  sse: options.sse ?? false,
  env: options.env ?? [],
  header: options.header ?? [],
  cwd: options.cwd,
  token: options.token,
});
