import { healthServiceView, type HealthServiceView } from '@plugboard/contract';
import { z } from 'zod';
import { readAnswer } from '../read-answer.js';
import type { HubApi } from '../hub-api.js';

const SERVICES = '/v1/services';
const ABOUT = 'its services';

export interface NewService {
  readonly name: string;
  readonly url: string;
  readonly interval_seconds?: number;
}

/** What commands ask of the hub about health-only services. */
export interface ServiceClient {
  list(): Promise<readonly HealthServiceView[]>;
  create(input: NewService): Promise<HealthServiceView>;
  remove(name: string): Promise<void>;
}

export const serviceClient = (api: HubApi): ServiceClient => ({
  list: async () => readAnswer(z.array(healthServiceView), await api.request('GET', SERVICES), ABOUT),
  create: async (body) => readAnswer(healthServiceView, await api.request('POST', SERVICES, { body }), ABOUT),
  remove: async (name) => {
    await api.request('DELETE', `${SERVICES}/${encodeURIComponent(name)}`);
  },
});
