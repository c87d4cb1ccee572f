import { PlugboardError } from '@plugboard/contract';

/** To those whose it is not, a session does not exist. */
export const noSession = (id: string): PlugboardError =>
  new PlugboardError('NOT_FOUND', 'The OAuth session does not exist.', { details: { id: id.slice(0, 64) } });

export const noCallback = (name: string): PlugboardError =>
  new PlugboardError('AUTH_REQUIRED', `The server "${name}" requires a login.`, {
    hint: {
      api: `An operator must start the login: GET /v1/mcp-servers/connect/{id}.`,
      cli: `Log in: plugboard login ${name}`,
    },
    details: { server: name },
  });

export const notForPrograms = (): PlugboardError =>
  new PlugboardError('INVALID_ARGUMENT', 'OAuth is not supported for stdio servers.', {
    hint: 'Programs get their credentials from their environment.',
  });

export const nobodyLogsIn = (): PlugboardError =>
  new PlugboardError('INVALID_ARGUMENT', 'This server uses client credentials and needs no login by a person.', {
    hint: 'Set oauth.grant to authorization_code to log in as a person.',
  });

export const otherBrowser = (): PlugboardError =>
  new PlugboardError('PERMISSION_DENIED', 'This login was started in another browser.', {
    hint: 'Open the authorization_url in the browser that you log in with. If you got this link from someone else, do not log in.',
  });
