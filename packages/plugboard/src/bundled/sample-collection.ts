import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Where the bundled collections server looks, in the home of the hub. */
export const collectionsDirectory = (home: string): string => join(home, 'collections');

const test = (name: string, ...lines: readonly string[]) => ({
  listen: 'test',
  script: { type: 'text/javascript', exec: [`pm.test('${name}', () => {`, ...lines.map((line) => `  ${line}`), '});'] },
});

const get = (name: string, path: string, event: object) => ({
  name,
  event: [event],
  request: { method: 'GET', url: { raw: `{{hub}}${path}`, host: ['{{hub}}'], path: path.split('/').filter(Boolean) } },
});

/** A Postman collection that checks the health of this hub. */
const sampleCollection = (hub: string): object => ({
  info: {
    name: 'Hub',
    description: 'The health of this hub and its servers.',
    schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
  },
  variable: [{ key: 'hub', value: hub }],
  item: [
    get('Health', '/health', test('lives', "pm.expect(pm.response.json().status).to.equal('ok');")),
    get('Ready', '/ready', test('is ready', "pm.expect(pm.response.json().status).to.equal('ready');")),
    get('Servers', '/servers', test('has servers', "pm.expect(pm.response.json()).to.have.property('documents');")),
  ],
});

/** Writes the sample into a directory of its own; what is there already stays. */
export const writeSampleCollection = async (home: string, hub: string): Promise<void> => {
  const directory = collectionsDirectory(home);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const file = join(directory, 'hub.postman_collection.json');
  await writeFile(file, `${JSON.stringify(sampleCollection(hub), null, 2)}\n`, { flag: 'wx' }).catch(
    (thrown: unknown) => {
      if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST') throw thrown;
    },
  );
};
