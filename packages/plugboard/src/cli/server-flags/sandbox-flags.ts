import { resolve } from 'node:path';
import { type ProgramSandbox, sandboxOf, type SandboxSettings, type StdioConfig } from '@plugboard/contract';

/** What the program of a server may see and use, as it was typed. */
export interface SandboxFlags {
  /** false: --no-sandbox. */
  readonly sandbox?: boolean | undefined;
  readonly sandboxRead?: readonly string[] | undefined;
  readonly sandboxWrite?: readonly string[] | undefined;
  /** false: --no-sandbox-network. */
  readonly sandboxNetwork?: boolean | undefined;
  readonly sandboxEnv?: readonly string[] | undefined;
}

const added = (
  before: readonly string[] | null | undefined,
  given: readonly string[] | undefined,
): string[] | undefined =>
  given === undefined ? (before ?? undefined)?.slice() : [...new Set([...(before ?? []), ...given])];

/** Relative paths mean the directory in which they were typed. What begins with a variable is known only later. */
export const placedFrom = <Flags extends SandboxFlags>(cwd: string, flags: Flags): Flags => {
  const place = (path: string): string => (/^(?:\$\{|\{\{)/u.test(path) ? path : resolve(cwd, path));
  return { ...flags, sandboxRead: flags.sandboxRead?.map(place), sandboxWrite: flags.sandboxWrite?.map(place) };
};

const isEmpty = (settings: SandboxSettings): boolean => Object.values(settings).every((value) => value === undefined);

/** The flags as a member of a config. Each adds to what is stored; --no-sandbox forgets it. */
export const sandboxMember = (flags: SandboxFlags, current?: ProgramSandbox): Pick<StdioConfig, 'sandbox'> => {
  if (flags.sandbox === false) return { sandbox: null };
  if (givenSandboxFlags(flags).length === 0) return {};
  const before = sandboxOf(current);
  const settings = {
    read_only: added(before?.read_only, flags.sandboxRead),
    writable: added(before?.writable, flags.sandboxWrite),
    network: flags.sandboxNetwork ?? before?.network ?? undefined,
    env: added(before?.env, flags.sandboxEnv),
  };
  return { sandbox: isEmpty(settings) ? true : settings };
};

export const givenSandboxFlags = (flags: SandboxFlags): readonly string[] => [
  ...(flags.sandbox === undefined ? [] : ['--sandbox']),
  ...(flags.sandboxRead === undefined ? [] : ['--sandbox-read']),
  ...(flags.sandboxWrite === undefined ? [] : ['--sandbox-write']),
  ...(flags.sandboxNetwork === undefined ? [] : ['--sandbox-network']),
  ...(flags.sandboxEnv === undefined ? [] : ['--sandbox-env']),
];
