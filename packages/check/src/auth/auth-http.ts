import { openHttpExchange, type HttpSettings } from '../connection/http-exchange.js';
import type { HttpRequest } from '../connection/http-request.js';
import { isObject, tryJson, type JsonObject } from '../connection/json.js';

export interface AuthAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly json: JsonObject;
}

/** One request on the way to a token; its bytes go into a transcript that is thrown away. */
export const askForJson = async (asked: HttpRequest, settings: HttpSettings): Promise<AuthAnswer> => {
  const http = await openHttpExchange(asked, settings);
  try {
    const json = http.isStream ? undefined : tryJson(await http.text());
    return { status: http.status, headers: http.headers, json: isObject(json) ? json : {} };
  } finally {
    http.close();
  }
};
