import { restartMode, type StdioConfig } from '@plugboard/contract';
import { givenSandboxFlags, type SandboxFlags, sandboxMember } from './sandbox-flags.js';
import { invalidArgument } from '../command/invalid-argument.js';

/** How the program of a server is kept, as it was typed. */
export interface ProgramFlags extends SandboxFlags {
  /** true: any free port. */
  readonly listen?: string | true | undefined;
  /** Where GET says whether the program is well. */
  readonly health?: string | undefined;
  readonly memory?: string | undefined;
  readonly restart?: string | undefined;
}

export type ProgramMembers = Pick<StdioConfig, 'listen' | 'limits' | 'restart' | 'sandbox'>;

const wholeNumber = (flag: string, text: string): number => {
  if (/^\d{1,7}$/u.test(text)) return Number(text);
  throw invalidArgument(`${flag} needs a whole number, but got "${text}".`, `Write it as ${flag} 512.`);
};

const restartOf = (text: string): StdioConfig['restart'] => {
  const parsed = restartMode.safeParse(text);
  if (parsed.success) return parsed.data;
  throw invalidArgument(`--restart cannot be "${text}".`, `It is one of ${restartMode.options.join(', ')}.`);
};

const portOf = (listen: string | true): { port?: number } =>
  listen === true ? {} : { port: wholeNumber('--listen', listen) };

/** The flags as members of a config; those that were not given are left out. */
export const programMembers = (flags: ProgramFlags, current?: Pick<StdioConfig, 'sandbox'>): ProgramMembers => {
  const { listen, health, memory, restart } = flags;
  if (health !== undefined && listen === undefined) {
    throw invalidArgument('--health requires --listen.', 'The hub checks programs that use stdio over stdio.');
  }
  const megabytes = memory === undefined ? undefined : wholeNumber('--memory', memory);
  return {
    ...(listen === undefined ? {} : { listen: { ...portOf(listen), ...(health === undefined ? {} : { health }) } }),
    ...(megabytes === undefined ? {} : { limits: megabytes === 0 ? null : { memory_mb: megabytes } }),
    ...(restart === undefined ? {} : { restart: restartOf(restart) }),
    ...sandboxMember(flags, current?.sandbox),
  };
};

export const givenProgramFlags = (flags: ProgramFlags): readonly string[] => {
  const { listen, memory, restart } = flags;
  return [
    ...(listen === undefined ? [] : ['--listen']),
    ...(memory === undefined ? [] : ['--memory']),
    ...(restart === undefined ? [] : ['--restart']),
    ...givenSandboxFlags(flags),
  ];
};
