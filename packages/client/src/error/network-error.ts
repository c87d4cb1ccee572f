import { type ErrorCode, type Hint, PlugboardError } from '@plugboard/contract';
import type { Delivery, McpClientError } from './client-error.js';
import { toClientError, clientError } from './to-client-error.js';

interface SystemError {
  readonly code?: string;
  readonly syscall?: string;
  readonly message?: string;
  readonly cause?: unknown;
  readonly errors?: readonly unknown[];
  readonly socket?: { readonly bytesWritten?: number };
}

interface Verdict {
  readonly code: ErrorCode;
  readonly delivery: Delivery;
  readonly text: string;
  readonly hint: Hint;
}

const TLS_CODE = /^(?:ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|EPROTO$|HOSTNAME_MISMATCH$)/u;
const DNS_CODES: ReadonlySet<string> = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_NODATA', 'ENODATA']);
const UNREACHABLE: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'ENETDOWN',
  'EADDRNOTAVAIL',
]);

const refused: Verdict = {
  code: 'UPSTREAM_REFUSED',
  delivery: 'not-executed',
  text: 'refused the connection',
  hint: 'Check that the server is running and that the port in its URL is right.',
};
const dns: Verdict = {
  code: 'UPSTREAM_DNS',
  delivery: 'not-executed',
  text: 'has a name that cannot be resolved',
  hint: 'Check the host name in the URL and the DNS of this machine.',
};
const tls: Verdict = {
  code: 'UPSTREAM_TLS',
  delivery: 'not-executed',
  text: 'could not be reached over TLS',
  hint: {
    api: 'Check the certificate of the server. A private authority is trusted with `ca` in its config, or with network.caFile of the hub for all servers.',
    cli: 'Check the certificate of the server. A private authority is trusted with: plugboard set <server> --ca <file>, or with network.caFile in plugboard.json for all servers.',
  },
};
const connectTimeout: Verdict = {
  code: 'UPSTREAM_TIMEOUT',
  delivery: 'not-executed',
  text: 'did not accept the connection in time',
  hint: 'Check that the server is reachable from here. A firewall may drop the packets.',
};
const answerTimeout: Verdict = {
  code: 'UPSTREAM_TIMEOUT',
  delivery: 'ambiguous',
  text: 'did not answer in time',
  hint: 'Give the call a longer deadline, or look at the load of the server.',
};
const notHttp: Verdict = {
  code: 'UPSTREAM_NOT_MCP',
  delivery: 'ambiguous',
  text: 'does not answer in HTTP',
  hint: 'Another service may be listening on this port.',
};
const proxy: Verdict = {
  code: 'UPSTREAM_REFUSED',
  delivery: 'not-executed',
  text: 'could not be reached through the proxy',
  hint: 'Check the address and the credentials of the proxy, or exempt the host from it.',
};
const closed = (delivery: Delivery): Verdict => ({
  code: 'UPSTREAM_CLOSED',
  delivery,
  text: 'closed the connection',
  hint: 'The server may have crashed or been restarted. Look at its log.',
});

const judgeReset = (error: SystemError): Verdict => {
  if (error.message?.includes('before secure TLS') === true) return tls;
  // Not one byte left on this socket, so the server cannot have seen the request.
  const unsent = error.syscall === 'connect' || error.socket?.bytesWritten === 0;
  return closed(unsent ? 'not-executed' : 'ambiguous');
};

const judge = (error: SystemError): Verdict => {
  const code = error.code ?? '';
  if (UNREACHABLE.has(code)) return refused;
  if (DNS_CODES.has(code)) return dns;
  if (TLS_CODE.test(code)) return tls;
  if (code.startsWith('HPE_')) return notHttp;
  switch (code) {
    case 'UND_ERR_CONNECT_TIMEOUT':
      return connectTimeout;
    case 'ETIMEDOUT':
      return error.syscall === 'connect' ? connectTimeout : answerTimeout;
    case 'UND_ERR_HEADERS_TIMEOUT':
    case 'UND_ERR_BODY_TIMEOUT':
      return answerTimeout;
    case 'UND_ERR_ABORTED':
      return error.message?.startsWith('Proxy response') === true ? proxy : closed('ambiguous');
    default:
      return judgeReset(error);
  }
};

/** Happy-eyeballs failures come as an aggregate, wrapped ones as a cause: the first that says something counts. */
const informative = (thrown: unknown): SystemError => {
  const error = (thrown ?? {}) as SystemError;
  const inner = error.errors?.[0] ?? (error.code === undefined ? error.cause : undefined);
  return inner === undefined ? error : informative(inner);
};

/** What node:net, TLS, DNS or undici threw, as an error that says what to look at. */
export const networkError = (thrown: unknown, host: string): McpClientError => {
  const error = informative(thrown);
  // The policy for addresses refused the one that the name was resolved to.
  if (error instanceof PlugboardError) return toClientError(error);
  if (error.code === undefined && error.message === undefined) return toClientError(thrown);
  const verdict = judge(error);
  return clientError(verdict.code, `${host} ${verdict.text}.`, {
    hint: verdict.hint,
    delivery: verdict.delivery,
    details: error.code === undefined ? undefined : { system_error: error.code },
    cause: thrown,
  });
};
