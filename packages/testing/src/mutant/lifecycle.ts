import { isObject } from '../json-rpc/message.js';
import { changeError, changeResult, defineMutant, without, type Mutant } from './mutant.js';

const OTHER: Readonly<Record<string, string>> = { '2025-11-25': '2025-06-18' };

export const lifecycleMutants: readonly Mutant[] = [
  defineMutant({
    name: 'initialize-without-server-info',
    kills: 'LIF-01',
    defect: 'The answer to initialize lacks serverInfo.',
    mutation: { toClient: changeResult('initialize', (result) => without(result, 'serverInfo')) },
  }),
  defineMutant({
    name: 'initialize-never-agrees',
    kills: 'LIF-02',
    defect: 'Asked for the newest revision it answers with an older one, and asked for that one with the newest.',
    mutation: {
      toClient: changeResult('initialize', (result, { request }) => {
        const asked = isObject(request?.['params']) ? String(request['params']['protocolVersion']) : '';
        return { ...result, protocolVersion: OTHER[asked] ?? (asked === '1999-01-01' ? '2025-06-18' : '2025-11-25') };
      }),
    },
  }),
  defineMutant({
    name: 'initialize-echoes-any-version',
    kills: 'LIF-03',
    defect: 'Whatever revision is requested is agreed to.',
    mutation: {
      toClient: changeResult('initialize', (result, { request }) => ({
        ...result,
        protocolVersion: isObject(request?.['params']) ? request['params']['protocolVersion'] : '',
      })),
    },
  }),
  defineMutant({
    name: 'initialize-invents-a-version',
    kills: 'LIF-04',
    defect: 'For 2024-11-05 it answers with a revision that nobody published.',
    mutation: {
      toClient: changeResult('initialize', (result) =>
        result['protocolVersion'] === '2024-11-05' ? { ...result, protocolVersion: '2024-12-01' } : result,
      ),
    },
  }),
  defineMutant({
    name: 'discover-without-capabilities',
    kills: 'LIF-13',
    defect: 'The answer to server/discover lacks capabilities.',
    mutation: { toClient: changeResult('server/discover', (result) => without(result, 'capabilities')) },
  }),
  defineMutant({
    name: 'unsupported-version-without-list',
    kills: 'LIF-16',
    defect: 'The refusal of a version does not say which ones are supported.',
    mutation: { toClient: changeError(-32_022, (error) => without(error, 'data')) },
  }),
];
