import { z } from 'zod';

const REFERENCE = /\{\{[^{}]*\}\}|\$\{[^{}]*\}/gu;

/** References to variables are filled in later; until then only the fixed part of the URL can be judged. */
const isHttpUrl = (value: string): boolean => {
  if (value.search(REFERENCE) === 0) return true;
  const fixed = value.replaceAll(REFERENCE, '1');
  return URL.canParse(fixed) && /^https?:$/u.test(new URL(fixed).protocol);
};

/** A URL is shown in clear, and fetch refuses credentials in it anyway. */
export const hasNoCredentials = (value: string): boolean => {
  const fixed = value.replaceAll(REFERENCE, '1');
  if (!URL.canParse(fixed)) return true;
  const { username, password } = new URL(fixed);
  return username === '' && password === '';
};

/** An address with http: or https:, in which references to variables may stand. */
export const httpUrl = z
  .string()
  .min(1)
  .max(4096)
  .refine(isHttpUrl, 'must be an http:// or https:// URL')
  .refine(hasNoCredentials, 'must not contain a user name or password; put the credential into auth_token');
