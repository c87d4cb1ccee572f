import { spawn } from 'node:child_process';

export interface Desktop {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The program that shows a URL; undefined where nobody would see it. */
export const urlOpener = ({ platform, env }: Desktop): readonly [string, ...string[]] | undefined => {
  if ((env['SSH_CONNECTION'] ?? '') !== '') return undefined;
  if (platform === 'darwin') return ['open'];
  // Not `start`: the shell behind it would take a part of the URL for a command.
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  const hasDisplay = (env['DISPLAY'] ?? '') !== '' || (env['WAYLAND_DISPLAY'] ?? '') !== '';
  return hasDisplay ? ['xdg-open'] : undefined;
};

/** Shows a web page in the user's browser. False where there is none; a browser that fails to start goes unnoticed. */
export const openUrl = (url: string, desktop: Desktop): boolean => {
  const opener = urlOpener(desktop);
  if (opener === undefined || !/^https?:\/\//u.test(url)) return false;
  const [command, ...args] = opener;
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
  return true;
};
