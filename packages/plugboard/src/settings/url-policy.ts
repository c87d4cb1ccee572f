import { isLoopbackHost } from '@plugboard/base';
import type { UrlPolicy } from '@plugboard/client';
import type { ConfigFile } from './config-file.js';
import { commaList } from './comma-list.js';

/** `deny-private`, `allow-all`, or hosts separated by commas. Users of this machine may use what runs on it. */
export const urlPolicy = (environment: string | undefined, file: ConfigFile['urls'], host: string): UrlPolicy => {
  const chosen = environment ?? file ?? 'deny-private';
  if (chosen === 'allow-all') return { mode: 'allow-all' };
  if (chosen === 'deny-private') return { mode: 'deny-private', loopback: isLoopbackHost(host) ? 'allow' : 'deny' };
  return { mode: 'allow-list', hosts: typeof chosen === 'string' ? commaList(chosen) : chosen.allow };
};
