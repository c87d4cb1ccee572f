import { posix, win32 } from 'node:path';
import type { ClientName } from './client-name.js';

export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly userHome: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Where programs of this platform keep the configuration of a user. */
const configHome = ({ platform, userHome, env }: Machine): string => {
  if (platform === 'darwin') return posix.join(userHome, 'Library', 'Application Support');
  if (platform === 'win32') return env['APPDATA'] ?? win32.join(userHome, 'AppData', 'Roaming');
  const xdg = env['XDG_CONFIG_HOME'];
  return xdg === undefined || xdg === '' ? posix.join(userHome, '.config') : xdg;
};

/**
 * The file in which a client keeps the servers of its user. Files of projects are not looked for: registering a server
 * starts its program, and a project may come from anyone.
 */
export const clientPlace = (client: ClientName, machine: Machine): string => {
  const path = machine.platform === 'win32' ? win32 : posix;
  const { userHome } = machine;
  switch (client) {
    case 'claude-desktop':
      return path.join(configHome(machine), 'Claude', 'claude_desktop_config.json');
    case 'claude-code':
      return path.join(userHome, '.claude.json');
    case 'cursor':
      return path.join(userHome, '.cursor', 'mcp.json');
    case 'vscode':
      return path.join(configHome(machine), 'Code', 'User', 'mcp.json');
    case 'windsurf':
      return path.join(userHome, '.codeium', 'windsurf', 'mcp_config.json');
    default:
      return client satisfies never;
  }
};
