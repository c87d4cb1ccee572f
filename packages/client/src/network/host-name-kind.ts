/** Names of the services from which machines in a cloud read their credentials. */
const METADATA_NAMES: ReadonlySet<string> = new Set([
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'metadata.azure.com',
  'metadata.tencentyun.com',
  'instance-data',
  'instance-data.ec2.internal',
]);

/** Endings that only ever mean something inside a network or a cluster. */
const INTERNAL_SUFFIXES = [
  'local',
  'localdomain',
  'internal',
  'intranet',
  'lan',
  'home',
  'corp',
  'private',
  'home.arpa',
  'svc',
  'cluster.local',
] as const;

/** What a host name says before it is resolved. */
export type HostNameKind = 'loopback' | 'metadata' | 'internal' | 'unknown';

const endsIn = (name: string, domain: string): boolean => name === domain || name.endsWith(`.${domain}`);

/** `name` in lower case and without a dot at its end. */
export const hostNameKind = (name: string): HostNameKind => {
  if (endsIn(name, 'localhost')) return 'loopback';
  if (METADATA_NAMES.has(name)) return 'metadata';
  return INTERNAL_SUFFIXES.some((suffix) => endsIn(name, suffix)) ? 'internal' : 'unknown';
};
