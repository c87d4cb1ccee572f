/** Which addresses the hub may connect to on behalf of those who use it. */
export type UrlPolicy =
  | { readonly mode: 'allow-all' }
  /** Everything that the whole internet can reach, and this machine itself when `loopback` says so. */
  | { readonly mode: 'deny-private'; readonly loopback: 'allow' | 'deny' }
  /** Only these: host names, `*.domain`, addresses, networks (`10.1.0.0/16`), and the words `public` and `loopback`. */
  | { readonly mode: 'allow-list'; readonly hosts: readonly string[] };
