import { hintFor } from '@plugboard/contract';
import type { HubApi } from '../../hub-api/hub-api.js';
import { pluginClient } from '../../hub-api/client/plugin-client.js';
import { count } from '../../terminal/count.js';
import { printableLine } from '../../terminal/printable.js';
import { type Finding, fine, problem } from './finding.js';

/** Does every plug-in load and start? */
export const checkPlugins = async (api: HubApi): Promise<readonly Finding[]> =>
  (await pluginClient(api).list()).map(({ name, version, actions, error }) => {
    const told = { id: `plugin ${name}`, subject: `Plug-in ${name}` };
    return error === undefined
      ? fine({ ...told, message: printableLine(`${version ?? ''} ready, ${count(actions.length, 'action')}`) })
      : problem({ ...told, message: printableLine(error.message) }, hintFor(error, 'cli') ?? 'Correct its module.');
  });
