import { hubCallWith } from './hub-call.js';

export interface ErrorAnswer {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

export interface ToolAnswer {
  readonly status: number;
  readonly text: string | undefined;
  readonly error: ErrorAnswer | undefined;
}

export const SERVER_NAME = 'guarded';

/** Calls `echo` over the plain REST route of a hub. */
export const callEcho = async (hubUrl: string, text: string, key?: string): Promise<ToolAnswer> => {
  const call = hubCallWith(hubUrl, key);
  const { status, json } = await call('POST', `/servers/${SERVER_NAME}/tools/echo`, { text });
  const body = json as { content?: readonly { text: string }[]; error?: ErrorAnswer };
  return { status, text: body.content?.[0]?.text, error: body.error };
};

/** The URL that an error sends people to. */
export const urlIn = (error: ErrorAnswer | undefined): string => {
  const url = error?.details?.['authorization_url'];
  if (typeof url !== 'string') throw new Error(`No URL to log in at: ${JSON.stringify(error)}`);
  return url;
};
