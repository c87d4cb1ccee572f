/** A browser that began a login at a hub, and is known there by its cookie. */
export interface BegunLogin {
  /** Where it goes from there; undefined when the hub did not let it. */
  readonly url: string | undefined;
  readonly cookie: string;
}

/** Opens the authorization_url of a hub, as a program does that shows no page. */
export const beginLogin = async (authorizationUrl: string): Promise<BegunLogin> => {
  const answer = await fetch(authorizationUrl, { redirect: 'manual' });
  await answer.body?.cancel();
  return {
    url: answer.headers.get('location') ?? undefined,
    cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '',
  };
};

interface Provider {
  login(authorizationUrl: string): Promise<string>;
}

/** Logs in as one browser does, from the URL of the hub until it is back there. Resolves with the last answer. */
export const logInWithBrowser = async (
  authorizationUrl: string,
  provider: Provider,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> => {
  const { url, cookie } = await beginLogin(authorizationUrl);
  if (url === undefined) return Response.json({ status: 'error', message: 'The login did not begin.' });
  return fetch(await provider.login(url), { headers: { cookie, ...headers } });
};
