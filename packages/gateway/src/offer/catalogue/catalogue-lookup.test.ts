import type { CatalogueSnapshot } from '@plugboard/contract';
import { expect, it } from 'vitest';
import { LOCAL_CALLER } from '../../call/caller.js';
import { catalogueOf, sampleServer, sampleTool } from '../../test-support/catalogue.js';
import { Scopes } from '../scope/scopes.js';
import { requireServer } from './catalogue-lookup.js';

/** A catalogue that counts how often one of its entries is looked at. */
const countedCatalogue = (names: readonly string[]) => {
  const servers = names.map((name, index) => sampleServer(name, index + 1));
  const plain = catalogueOf(servers.map((server) => ({ server, tools: [sampleTool(server, 'read')] })));
  const taken = plain.snapshot();
  let looks = 0;
  const entries = new Proxy(taken.entries, {
    get: (target, key, receiver) => {
      looks += 1;
      return Reflect.get(target, key, receiver) as unknown;
    },
  });
  let snapshot: CatalogueSnapshot = { ...taken, entries };
  return {
    catalogue: { ...plain, snapshot: () => snapshot },
    looks: () => looks,
    replace: (next: CatalogueSnapshot) => (snapshot = next),
    taken,
  };
};

it('does not go through all servers for each call', () => {
  const { catalogue, looks } = countedCatalogue(['files', 'mail', 'web']);
  const scopes = new Scopes(catalogue);
  const scope = scopes.server('web', LOCAL_CALLER);
  scope.findTool('read');
  const before = looks();
  for (const name of ['web', 'web', 'web']) scopes.server(name, LOCAL_CALLER).findTool('read');
  expect(looks()).toBe(before);
});

it('finds what is registered now, and not what was', () => {
  const { catalogue, taken, replace } = countedCatalogue(['files', 'mail']);
  expect(requireServer(catalogue, 'mail').server.server_name).toBe('mail');
  replace({ ...taken, entries: taken.entries.filter(({ server }) => server.server_name === 'files') });
  expect(requireServer(catalogue, 'files').server.server_name).toBe('files');
  expect(() => requireServer(catalogue, 'mail')).toThrow('No server is registered under the name "mail"');
});
