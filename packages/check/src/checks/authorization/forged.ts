import { isObject, tryJson, type JsonObject } from '../../connection/json.js';

/** A token that no authorization server issued. */
export interface ForgedToken {
  readonly what: string;
  readonly token: string;
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const decode = (part: string | undefined): JsonObject | undefined => {
  const value = tryJson(Buffer.from(part ?? '', 'base64url').toString('utf8'));
  return isObject(value) ? value : undefined;
};

const LATER = 4_102_444_800;

/** Changes one character in the middle: the last one of base64 may carry no information. */
const altered = (text: string): string => {
  const middle = Math.floor(text.length / 2);
  return `${text.slice(0, middle)}${text[middle] === 'A' ? 'B' : 'A'}${text.slice(middle + 1)}`;
};

const ofJwt = (genuine: string): readonly ForgedToken[] => {
  const [head, body, signature, ...rest] = genuine.split('.');
  const [header, claims] = [decode(head), decode(body)];
  if (header === undefined || claims === undefined || signature === undefined || rest.length > 0) return [];
  return [
    { what: 'a token with another signature', token: `${head}.${body}.${altered(signature)}` },
    {
      what: 'a token with altered claims',
      token: `${head}.${encode({ ...claims, exp: LATER, sub: 'somebody-else' })}.${signature}`,
    },
    { what: 'a genuine token without its signature', token: `${encode({ ...header, alg: 'none' })}.${body}.` },
  ];
};

/** Tokens that a server must see through; better ones where a genuine one is known. */
export const forgedTokens = (genuine: string | undefined, audience: string): readonly ForgedToken[] => {
  const claims = { iss: new URL(audience).origin, aud: audience, sub: 'somebody', exp: LATER, scope: 'mcp' };
  return [
    { what: 'a word', token: 'rubbish' },
    { what: 'an unsigned token', token: `${encode({ alg: 'none', typ: 'JWT' })}.${encode(claims)}.` },
    ...(genuine === undefined ? [] : ofJwt(genuine)),
  ];
};
