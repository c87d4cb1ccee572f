import {
  PlugboardError,
  pluginOutcome,
  type PluginOutcome,
  type PluginRun,
  pluginView,
  type PluginView,
} from '@plugboard/contract';
import { z } from 'zod';
import { readAnswer } from '../read-answer.js';
import type { HubApi } from '../hub-api.js';

const PLUGINS = '/v1/plugins';
const ABOUT = 'its plug-ins';

/** What commands ask of the hub about its plug-ins. */
export interface PluginClient {
  /** All of them, or those that work with one server. */
  list(server?: string): Promise<readonly PluginView[]>;
  run(name: string, run: PluginRun): Promise<PluginOutcome>;
}

export const pluginClient = (api: HubApi): PluginClient => ({
  list: async (server) => {
    const query = server === undefined ? '' : `?server=${encodeURIComponent(server)}`;
    try {
      return readAnswer(z.array(pluginView), await api.request('GET', PLUGINS + query), ABOUT);
    } catch (thrown) {
      // A hub of an earlier version has no such route, and no plug-ins.
      if (thrown instanceof PlugboardError && thrown.code === 'NOT_FOUND') return [];
      throw thrown;
    }
  },
  run: async (name, body) =>
    readAnswer(pluginOutcome, await api.request('POST', `${PLUGINS}/${encodeURIComponent(name)}/run`, { body }), ABOUT),
});
