import { Agent } from 'node:http';
import type { OutgoingHttpHeaders } from 'node:http';
import type { HttpExchange } from '@plugboard/gateway';
import type { FleetMember } from '@plugboard/registry';
import type { FleetMembers } from './fleet-members.js';
import { type PassOutcome, passOn } from './pass-on.js';
import { LEASE_HEADER, LOCAL_HEADER, PROOF_HEADER, writeProof } from './peer-proof.js';

export interface PeersOptions {
  readonly key: Uint8Array;
  readonly members: FleetMembers;
  /** Did the caller prove to be somebody who can read the home of this hub? */
  readonly isLocal: (exchange: HttpExchange) => boolean;
}

export interface PassOptions {
  readonly body?: Buffer | undefined;
  readonly lease?: string | undefined;
}

/** The way to the other processes of the fleet. */
export class Peers {
  readonly #options: PeersOptions;
  readonly #agent = new Agent({ keepAlive: true, keepAliveMsecs: 10_000, maxFreeSockets: 256 });

  #sent = 0;

  constructor(options: PeersOptions) {
    this.#options = options;
  }

  /** Passes a request on. A member whose process is not there any more is forgotten. */
  async pass(member: FleetMember, exchange: HttpExchange, options: PassOptions = {}): Promise<PassOutcome> {
    const { members } = this.#options;
    const outcome = await this.#try(member, exchange, options);
    // A connection that was kept may have ended meanwhile; the next one is new, or shows that nobody is there.
    const final = outcome === 'unreachable' ? await this.#try(member, exchange, options) : outcome;
    if (final === 'gone' || (final === 'unreachable' && !members.isHeard(member.id))) {
      members.forget(member.id);
      return 'gone';
    }
    return final;
  }

  close(): void {
    this.#agent.destroy();
  }

  #try(member: FleetMember, exchange: HttpExchange, { body, lease }: PassOptions): Promise<PassOutcome> {
    return passOn({
      ...exchange,
      agent: this.#agent,
      url: member.url,
      headers: this.#headers(member, exchange, lease),
      body,
    });
  }

  #headers(member: FleetMember, exchange: HttpExchange, lease: string | undefined): OutgoingHttpHeaders {
    const { key, members, isLocal } = this.#options;
    const { method = '', url = '' } = exchange.request;
    const local = isLocal(exchange);
    this.#sent += 1;
    const signed = { number: this.#sent, from: members.self.id, to: member.id, method, url, isLocal: local, lease };
    const proof = writeProof(key, signed);
    return {
      [PROOF_HEADER]: proof,
      ...(local ? { [LOCAL_HEADER]: '1' } : {}),
      ...(lease === undefined ? {} : { [LEASE_HEADER]: lease }),
    };
  }
}
