import { unzipSync } from 'fflate';

/** The names in an archive, without unpacking anything; empty when it cannot be read. */
export const archiveNames = (bytes: Uint8Array): ReadonlySet<string> => {
  const names = new Set<string>();
  try {
    unzipSync(bytes, {
      filter: ({ name }) => {
        names.add(name);
        return false;
      },
    });
  } catch {
    // A broken archive has the names that were read until then.
  }
  return names;
};
