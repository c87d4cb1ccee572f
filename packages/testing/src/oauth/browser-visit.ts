const MAX_HOPS = 20;

const cookieOf = (field: string): readonly [string, string] => {
  const [pair = ''] = field.split(';');
  const at = pair.indexOf('=');
  return [pair.slice(0, at).trim(), pair.slice(at + 1)];
};

/** Opens a URL as a browser would, with cookies, and stops where it leaves the origin: that URL is the answer. */
export const visit = async (start: string, signal?: AbortSignal): Promise<string> => {
  const { origin } = new URL(start);
  const cookies = new Map<string, string>();
  let url = start;
  for (let hop = 0; hop < MAX_HOPS; hop += 1) {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '), accept: 'text/html' },
      ...(signal === undefined ? {} : { signal }),
    });
    for (const field of response.headers.getSetCookie()) cookies.set(...cookieOf(field));
    const text = await response.text();
    const location = response.headers.get('location');
    if (location === null) throw new Error(`The login stopped at ${url} (${response.status}): ${text.slice(0, 300)}`);
    url = new URL(location, url).href;
    if (new URL(url).origin !== origin) return url;
  }
  throw new Error(`The login goes round in circles at ${url}.`);
};
