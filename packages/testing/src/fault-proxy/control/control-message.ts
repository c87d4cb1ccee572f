import type { Strike } from '../board/fault-board.js';
import type { ProxyFault } from '../board/proxy-fault.js';

/** From the one who decides to a proxy in another process. */
export interface ControlOrder {
  readonly order: number;
  readonly faults: readonly ProxyFault[];
}

/** From that proxy: who it is, what it carried out, what happened. */
export type ControlEvent =
  | { readonly token: string; readonly pid: number }
  | { readonly done: number }
  | { readonly strike: Strike }
  | { readonly delivered: string };
