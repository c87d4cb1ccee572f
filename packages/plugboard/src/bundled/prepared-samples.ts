import type { ServerCreate } from '@plugboard/contract';
import type { ProcessContext } from '../process/process-context.js';
import type { Settings } from '../settings/settings.js';
import { bundledServers } from './bundled-servers.js';
import { documentFlags, makeDocumentsDirectory } from './document-directories.js';
import { writeSampleCollection } from './sample-collection.js';
import { sampleServer } from './sample-server.js';

interface PreparedSamplesOptions {
  readonly settings: Pick<Settings, 'home' | 'configFile' | 'masterKey'>;
  readonly process: Pick<ProcessContext, 'cwd' | 'userHome' | 'execPath'>;
  /** Where the hub listens. */
  readonly url: string;
}

/** The servers to try. What they read is in the home of the hub after this. */
export const preparedSamples = async ({
  settings,
  process,
  url,
}: PreparedSamplesOptions): Promise<readonly ServerCreate[]> => {
  await writeSampleCollection(settings.home, url);
  await makeDocumentsDirectory(settings.home);
  const bundled = bundledServers({
    nodePath: process.execPath,
    home: settings.home,
    documentFlags: documentFlags(settings, process),
  });
  return [...bundled, sampleServer(process.execPath)];
};
