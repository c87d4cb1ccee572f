import { join } from 'node:path';
import { DEFAULTS, type Settings } from '../settings/settings.js';

/** The settings of a fresh install, on a free port. */
export const freshSettings = (home: string): Settings => ({
  ...DEFAULTS,
  port: 0,
  home,
  configFile: undefined,
  insecure: false,
  demo: false,
  databaseUrl: undefined,
  masterKey: { from: 'file', path: join(home, 'master.key'), create: true },
  stdio: { mode: 'on' },
  urls: { mode: 'deny-private', loopback: 'allow' },
  declaredServers: [],
  declaredServices: [],
  plugins: [],
  environment: {},
});
