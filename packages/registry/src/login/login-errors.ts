import { PlugboardError } from '@plugboard/contract';

/** To those whose it is not, a session does not exist. */
export const noSession = (id: string): PlugboardError =>
  new PlugboardError('NOT_FOUND', 'There is no OAuth session with this id.', { details: { id: id.slice(0, 64) } });

export const noCallback = (name: string): PlugboardError =>
  new PlugboardError('AUTH_REQUIRED', `Somebody has to log in to the server "${name}".`, {
    hint: {
      api: `An operator begins the login: GET /v1/mcp-servers/connect/{id}.`,
      cli: `Log in: plugboard login ${name}`,
    },
    details: { server: name },
  });

export const notForPrograms = (): PlugboardError =>
  new PlugboardError('INVALID_ARGUMENT', 'OAuth is not supported for stdio servers.', {
    hint: 'Programs get their credentials from their environment.',
  });

export const nobodyLogsIn = (): PlugboardError =>
  new PlugboardError('INVALID_ARGUMENT', 'This server is configured for client credentials: nobody logs in.', {
    hint: 'Set oauth.grant to authorization_code to log in as a person.',
  });

export const otherBrowser = (): PlugboardError =>
  new PlugboardError('PERMISSION_DENIED', 'This login was not begun in this browser.', {
    hint: 'Open the authorization_url in the browser that you log in with. If somebody sent you here, do not log in.',
  });
