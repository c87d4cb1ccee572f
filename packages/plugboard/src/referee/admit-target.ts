import { type CheckDifferential, type CheckTarget, PlugboardError } from '@plugboard/contract';
import { admitConfig, type ConfigAdmission } from '../upstream/config/config-admission.js';

const admitProgram = (command: string | undefined, admission: ConfigAdmission): void => {
  if (command !== undefined) admitConfig({ mcp_server_type: 'stdio', command, args: [] }, admission);
};

const admitSide = ({ url, command, auth }: CheckTarget | CheckDifferential, admission: ConfigAdmission): void => {
  if (url !== undefined) admission.urls.checkUrl(url);
  admitProgram(command?.[0], admission);
  if (auth?.type === 'command') admitProgram(auth.command[0], admission);
  if (auth?.type === 'oauth' && auth.token_url !== undefined) admission.urls.checkUrl(auth.token_url);
};

/** Throws STDIO_DISABLED or URL_REFUSED where the hub may not go: what may not be registered may not be examined either. */
export const admitTarget = (target: CheckTarget, admission: ConfigAdmission): void => {
  if (target.url === undefined && target.command === undefined) {
    throw new PlugboardError('INVALID_ARGUMENT', 'The target has neither a url nor a command, nor a name.', {
      hint: 'Give the URL of a server, the command that starts one, or the name of a registered server.',
    });
  }
  admitSide(target, admission);
  if (target.differential !== undefined) admitSide(target.differential, admission);
  for (const { url } of target.hub?.servers ?? []) if (url !== undefined) admission.urls.checkUrl(url);
};
