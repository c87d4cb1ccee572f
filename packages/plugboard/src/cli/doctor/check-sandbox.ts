import { type Confinement, createConfinement } from '@plugboard/client';
import type { ServerView } from '@plugboard/contract';
import { hiddenFrom } from '../../upstream/program/program-sandbox.js';
import { someOf } from '../../terminal/count.js';
import { isSandboxed } from '../render/server-words.js';
import type { Settings } from '../../settings/settings.js';
import { type Finding, fine, problem } from './finding.js';

const SANDBOX = { id: 'sandbox', subject: 'Sandbox' };
const NAMED = 8;

const usersOf = (servers: readonly ServerView[], { processes }: Pick<Settings, 'processes'>): string | undefined => {
  if (processes.sandbox === 'required') return 'every program runs in one (processes.sandbox)';
  const names = servers.filter(isSandboxed).map((server) => server.server_name);
  return names.length === 0 ? undefined : `used by ${someOf(names, NAMED)}`;
};

/** Can programs run in a sandbox here, and which do? */
export const checkSandbox = async (
  settings: Settings,
  servers: readonly ServerView[],
  confinement: Pick<Confinement, 'mechanism'> = createConfinement(hiddenFrom(settings)),
): Promise<Finding> => {
  const users = usersOf(servers, settings);
  const searched = await confinement.mechanism();
  if (searched.found !== undefined) {
    const { name, path } = searched.found;
    return fine({ ...SANDBOX, message: `${name} works (${path}); ${users ?? 'no program uses it'}` });
  }
  const reasons = searched.missing.map(({ name, why }) => `${name}: ${why}`).join('; ') || 'it needs Linux';
  const message = `programs cannot run in one here (${reasons})`;
  return users === undefined
    ? fine({ ...SANDBOX, message: `${message}; none has to` })
    : problem(
        { ...SANDBOX, message: `${message}, so these do not start: ${users}` },
        'Install bubblewrap (package "bubblewrap") and allow user namespaces, or switch their sandbox off: plugboard set <server> --no-sandbox',
      );
};
