import { childEnvironment, programEnvironment } from '@plugboard/client';
import { type ConnectConfig, type ProgramSandbox, sandboxOf, type SandboxSettings } from '@plugboard/contract';
import { join } from 'node:path';
import type { Settings } from '../../settings/settings.js';
import { variableOf } from '../config/config-variable.js';
import { documentsDirectory } from '../../bundled/document-directories.js';
import { collectionsDirectory } from '../../bundled/sample-collection.js';

/** The sandbox in which a program runs: its own, or the plain one where every program needs one. */
export const sandboxFor = (
  { sandbox }: { readonly sandbox?: ProgramSandbox },
  { processes }: Pick<Settings, 'processes'>,
): SandboxSettings | undefined => sandboxOf(sandbox) ?? (processes.sandbox === 'required' ? {} : undefined);

/** The config with the sandbox in which its program really runs. */
export const withSandbox = <Config extends ConnectConfig>(
  config: Config,
  settings: Pick<Settings, 'processes'>,
): Config => {
  if (config.mcp_server_type !== 'stdio') return config;
  const sandbox = sandboxFor(config, settings);
  return sandbox === undefined ? config : { ...config, sandbox };
};

/** What a program inherits of our environment. A sandbox may name more, as far as templates may. */
export const inheritedBy = (
  sandbox: SandboxSettings | undefined,
  settings: Pick<Settings, 'environment' | 'templateEnvironment'>,
): Readonly<Record<string, string>> => {
  const lookup = variableOf(settings);
  const named = (sandbox?.env ?? []).flatMap((name) => {
    const value = lookup(name);
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  return programEnvironment(
    { ...childEnvironment({ inherited: settings.environment }), ...Object.fromEntries(named) },
    sandbox,
  );
};

/** What no program in a sandbox sees of this hub, and what in it is made for programs. */
export const hiddenFrom = ({ home, configFile, masterKey }: Pick<Settings, 'home' | 'configFile' | 'masterKey'>) => ({
  root: join(home, 'sandbox'),
  hidden: [
    home,
    ...(configFile === undefined ? [] : [configFile]),
    ...(masterKey.from === 'file' ? [masterKey.path] : []),
  ],
  shown: [documentsDirectory(home), collectionsDirectory(home)],
});
