import { healthServiceView, PlugboardError, type HealthServiceView } from '@plugboard/contract';
import { z } from 'zod';
import type { HubApi } from './hub-api.js';

const SERVICES = '/v1/services';

const parse = <T>(schema: z.ZodType<T>, json: unknown): T => {
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new PlugboardError('INTERNAL', "The hub's answer about its services has an unknown shape.", {
    hint: 'Check that the hub and this program are of the same version.',
    cause: parsed.error,
  });
};

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
  list: async () => parse(z.array(healthServiceView), (await api.request('GET', SERVICES)).json),
  create: async (body) => parse(healthServiceView, (await api.request('POST', SERVICES, { body })).json),
  remove: async (name) => {
    await api.request('DELETE', `${SERVICES}/${encodeURIComponent(name)}`);
  },
});
