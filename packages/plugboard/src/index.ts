export { composeHub } from './compose.js';
export type { Hub } from './hub/hub.js';
export type { Logger } from './hub/logger.js';
export { resolveSettings, type FlagSettings, type SettingsSource } from './settings/resolve-settings.js';
export type { DeclaredServer, Deadlines, MasterKeySource, Settings, StdioPolicy } from './settings/settings.js';
