import { mkdir, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PlugboardError } from '@plugboard/contract';
import type { ProcessSpec } from '../program/process-spec.js';
import { splitEnvironment, withInner } from './inner-environment.js';
import { type HiddenPaths, planSandbox } from './plan-sandbox.js';
import { findMechanism, type MechanismOptions, type MechanismSearch, type Shortcoming } from './sandbox-mechanism.js';

export interface ConfinementOptions
  extends Partial<HiddenPaths>, Pick<MechanismOptions, 'path' | 'run' | 'mechanisms'> {
  /** A directory of our own in which views are built; it stays empty for everybody else. */
  readonly root?: string | undefined;
  readonly platform?: NodeJS.Platform | undefined;
}

/** Turns what shall run in a sandbox into what has to be started for that. */
export interface Confinement {
  /** A spec without a sandbox stays as it is. Throws SANDBOX_UNAVAILABLE; nothing is ever started without its sandbox. */
  confine(spec: ProcessSpec): Promise<ProcessSpec>;
  mechanism(): Promise<MechanismSearch>;
}

const unavailable = (missing: readonly Shortcoming[], platform: NodeJS.Platform): PlugboardError =>
  new PlugboardError(
    'SANDBOX_UNAVAILABLE',
    'This program must run in a sandbox, and none is available on this machine.',
    {
      hint:
        platform === 'linux'
          ? `Install bubblewrap (package "bubblewrap") and allow user namespaces. ${missing
              .map(({ name, why }) => `${name}: ${why}`)
              .join('; ')}.`
          : 'Sandboxes need Linux. Run the hub in a Linux container, or switch the sandbox of this server off.',
      details: { mechanisms: Object.fromEntries(missing.map(({ name, why }) => [name, why])) },
    },
  );

export const createConfinement = (options: ConfinementOptions = {}): Confinement => {
  const { hidden = [], shown = [], platform = process.platform } = options;
  const root = options.root ?? join(tmpdir(), `plugboard-sandbox-${process.getuid?.() ?? 0}`);
  let known: Promise<MechanismSearch> | undefined;
  const search = async (): Promise<MechanismSearch> => {
    if (platform !== 'linux') return { found: undefined, missing: [] };
    await mkdir(root, { recursive: true, mode: 0o700 });
    const { mechanisms, path, run } = options;
    return findMechanism({ root: await realpath(root), mechanisms, path, run });
  };
  const mechanism = async (): Promise<MechanismSearch> => {
    known ??= search();
    const searched = known;
    try {
      const result = await searched;
      // Somebody may install one meanwhile.
      if (result.found === undefined && known === searched) known = undefined;
      return result;
    } catch (thrown) {
      known = undefined;
      throw thrown;
    }
  };
  return {
    mechanism,
    async confine({ sandbox, ...spec }) {
      if (sandbox === undefined) return spec;
      const searched = await mechanism();
      if (searched.found === undefined) throw unavailable(searched.missing, platform);
      const { outer, inner } = splitEnvironment(spec.env);
      const plan = withInner(await planSandbox(spec, sandbox, { hidden, shown }), inner);
      const { found } = searched;
      return { command: found.path, args: found.argumentsFor(plan), env: outer, cwd: '/' };
    },
  };
};
