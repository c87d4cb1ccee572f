/** What a program needs to run at all; nothing of it is ours to keep secret. A trailing * stands for any ending. */
const defaultInherited: readonly string[] = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LC_*',
  'TZ',
  'TMPDIR',
  'TEMP',
  'TMP',
  'XDG_CACHE_HOME',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'NODE_EXTRA_CA_CERTS',
  // Windows does not start programs without these.
  'SYSTEMROOT',
  'SYSTEMDRIVE',
  'COMSPEC',
  'PATHEXT',
  'APPDATA',
  'LOCALAPPDATA',
  'USERPROFILE',
  'PROGRAMFILES',
];

export interface ChildEnvironmentOptions {
  /** The environment that we run in. */
  readonly inherited: Readonly<Record<string, string | undefined>>;
  /** What was configured for this server; it wins. */
  readonly configured?: Readonly<Record<string, string>> | null | undefined;
  readonly allow?: readonly string[] | undefined;
}

const matches = (pattern: string, name: string): boolean =>
  pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;

/** The environment of a child: an allow-list of ours plus what was configured, and nothing else. */
export const childEnvironment = (options: ChildEnvironmentOptions): Readonly<Record<string, string>> => {
  const allow = options.allow ?? defaultInherited;
  const passed = Object.entries(options.inherited).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined &&
      // A shell function exported by bash: code, not a value.
      !entry[1].startsWith('()') &&
      allow.some((pattern) => matches(pattern, entry[0])),
  );
  return { ...Object.fromEntries(passed), ...options.configured };
};
