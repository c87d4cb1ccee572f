import { fakeServer } from '@plugboard/testing';
import { afterAll } from 'vitest';
import { describeCompliance } from './vitest.js';

const server = fakeServer({ tools: ['echo'], eras: 'both' });
afterAll(() => server.close());

describeCompliance(
  'a fake server',
  { only: ['LIF-0*', 'LIF-1*', 'LIF-27'], budgets: { quietMs: 20 } },
  { address: async () => ({ url: (await server.listenHttp()).url }) },
);
