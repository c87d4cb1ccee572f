import type { Confinement } from '@plugboard/client';
import { type CheckDifferential, type CheckTarget, PlugboardError, type SandboxSettings } from '@plugboard/contract';
import { inheritedBy, sandboxFor } from '../upstream/program/program-sandbox.js';
import type { Settings } from '../settings/settings.js';
import type { PreparedTarget } from './registered-target.js';

export interface ConfinedTargetParts {
  readonly settings: Pick<Settings, 'environment' | 'templateEnvironment' | 'processes'>;
  readonly confinement: Pick<Confinement, 'confine'>;
}

type Side = CheckTarget | CheckDifferential;

const confineSide = async <T extends Side>(
  side: T,
  sandbox: SandboxSettings | undefined,
  { settings, confinement }: ConfinedTargetParts,
): Promise<T> => {
  const [command, ...args] = side.command ?? [];
  if (command === undefined || sandbox === undefined) return side;
  const env = { ...inheritedBy(sandbox, settings), ...side.env };
  const confined = await confinement.confine({ command, args, env, cwd: side.cwd, sandbox });
  return { ...side, command: [confined.command, ...confined.args], cwd: confined.cwd };
};

const assertNoTokenProgram = (side: Side | undefined): void => {
  if (side?.auth?.type !== 'command') return;
  throw new PlugboardError('STDIO_DISABLED', 'Programs of this hub run in a sandbox, and auth.command cannot.', {
    hint: 'Give the token itself in headers, or run the check from the command line.',
  });
};

/** The target with its programs in the sandbox that they have when the hub serves them. */
export const confineTarget = async (prepared: PreparedTarget, parts: ConfinedTargetParts): Promise<PreparedTarget> => {
  const { target, sandboxes } = prepared;
  const { differential } = target;
  const { settings } = parts;
  if (settings.processes.sandbox === 'required') [target, differential].forEach(assertNoTokenProgram);
  const main = sandboxFor({ sandbox: sandboxes?.main }, settings);
  const other = sandboxFor({ sandbox: sandboxes?.other }, settings);
  if (main === undefined && other === undefined) return prepared;
  const confined = await confineSide(target, main, parts);
  return {
    ...prepared,
    target: {
      ...confined,
      ...(differential === undefined ? {} : { differential: await confineSide(differential, other, parts) }),
    },
    baseEnv: inheritedBy(main ?? other, settings),
  };
};
