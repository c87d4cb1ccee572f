import { z } from 'zod';

/** The time of day as people and programs both read it. */
export const timestamp = z.iso.datetime();

const CONTROL = /[\u0000-\u001F\u007F]/u;
// RFC 9110 token
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/u;

export const headerName = z
  .string()
  .min(1)
  .max(256)
  .regex(HEADER_NAME, 'is not a legal HTTP header name')
  .describe('the name of an HTTP header');

export const headerValue = z
  .string()
  .max(16_384)
  .refine((value) => !CONTROL.test(value), 'must not contain line breaks or control characters')
  .describe('the value of an HTTP header');

export const processText = z
  .string()
  .max(32_768)
  .refine((value) => !value.includes('\u0000'), 'must not contain a NUL character');

/** Names of servers, agents and toolsets stand in URLs and in front of tool names. */
export const entryName = z
  .string()
  .min(1)
  .max(64)
  .regex(
    /^[A-Za-z0-9](?:[A-Za-z0-9 ._-]*[A-Za-z0-9_-])?$/u,
    'must start with a letter or digit and contain only letters, digits, spaces, dots, underscores and hyphens',
  );
