import { cookiesIn } from '@plugboard/base';

/** Browsers accept a name with this prefix only for a whole host, over https, and from that host itself. */
const nameOf = (secure: boolean): string => (secure ? '__Host-plugboard_session' : 'plugboard_session');

const ATTRIBUTES = 'Path=/; HttpOnly; SameSite=Strict';

const written = (value: string, secure: boolean, maxAge: number): string =>
  `${nameOf(secure)}=${value}; Max-Age=${maxAge}; ${ATTRIBUTES}${secure ? '; Secure' : ''}`;

export const sessionCookie = (token: string, secure: boolean, maxAgeSeconds: number): string =>
  written(token, secure, maxAgeSeconds);

/** Makes a browser forget the session. */
export const endedCookie = (secure: boolean): string => written('', secure, 0);

/** The token that a browser brings along. */
export const sessionTokenIn = (field: string | undefined, secure: boolean): string | undefined =>
  cookiesIn(field).get(nameOf(secure)) || undefined;
