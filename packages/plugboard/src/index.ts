export { composeHub } from './compose/compose-hub.js';
export type { Hub } from './compose/hub.js';
export type { Logger } from './log/logger.js';
export { resolveSettings, type FlagSettings, type SettingsSource } from './settings/resolve-settings.js';
export type { DeclaredServer, Deadlines, MasterKeySource, Settings, StdioPolicy } from './settings/settings.js';
