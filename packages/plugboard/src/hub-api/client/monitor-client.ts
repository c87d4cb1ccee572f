import { monitoredServer, type MonitoredServer, monitorView, type MonitorView } from '@plugboard/contract';
import { readAnswer } from '../read-answer.js';
import type { HubApi } from '../hub-api.js';

const ABOUT = 'its monitor';

/** What commands ask of the hub about probes. */
export interface MonitorClient {
  view(): Promise<MonitorView>;
  probe(server: string): Promise<MonitoredServer>;
}

export const monitorClient = (api: HubApi): MonitorClient => ({
  view: async () => readAnswer(monitorView, await api.request('GET', '/v1/monitor'), ABOUT),
  probe: async (server) =>
    readAnswer(monitoredServer, await api.request('POST', `/v1/monitor/${encodeURIComponent(server)}/probe`), ABOUT),
});
