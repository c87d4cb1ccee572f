import { Agent } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpExchange } from '@plugboard/gateway';
import type { FleetMember } from '@plugboard/registry';
import type { FleetMembers } from './fleet-members.js';
import { Neighbours, smallBody } from './neighbours.js';
import { type PassOutcome, passOn } from './pass-on.js';
import { CLIENT_HEADER, LEASE_HEADER, LOCAL_HEADER, PROOF_HEADER, writeClient, writeProof } from './peer-proof.js';
import { askForLife } from './ask-for-life.js';
import { Pulse } from './pulse.js';

export interface PeersOptions {
  readonly key: Uint8Array;
  readonly members: Pick<FleetMembers, 'self' | 'others' | 'isHeard' | 'forget'>;
  /** Did the caller prove to be somebody who can read the home of this hub? */
  readonly isLocal: (exchange: HttpExchange) => boolean;
  /** Where a request comes from. */
  readonly addressOf: (request: HttpExchange['request']) => string;
}

export interface PassOptions {
  readonly body?: Buffer | undefined;
  readonly lease?: string | undefined;
}

/** The way to the other processes of the fleet. */
export class Peers {
  readonly #options: PeersOptions;
  readonly #agent = new Agent({ keepAlive: true, keepAliveMsecs: 10_000, maxFreeSockets: 256 });
  readonly #neighbours = new Neighbours();
  readonly #pulses = new Map<string, Pulse>();
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
      this.#neighbours.forget(member.id);
      this.#pulses.delete(member.id);
      return 'gone';
    }
    return final;
  }

  async close(): Promise<void> {
    this.#agent.destroy();
    for (const pulse of this.#pulses.values()) pulse.stop();
    await this.#neighbours.close();
  }

  async #try(member: FleetMember, exchange: HttpExchange, { body, lease }: PassOptions): Promise<PassOutcome> {
    const pulse = this.#pulseOf(member);
    // One that was not heard just now may be stopped, so it is asked for its consent.
    const neighbour = pulse.isFresh ? this.#neighbours.find(member.id) : undefined;
    const small = neighbour && (await smallBody(exchange, body));
    const headers = this.#headers(member, exchange, lease);
    if (neighbour !== undefined && small !== undefined) {
      return neighbour.pass({ ...exchange, headers, body: small, pulse });
    }
    const onAnswered = (socket: Socket): void => this.#neighbours.meet(member, socket, this.#options.members.others());
    return passOn({ ...exchange, agent: this.#agent, url: member.url, headers, body, pulse, onAnswered });
  }

  #pulseOf(member: FleetMember): Pulse {
    const known = this.#pulses.get(member.id);
    if (known !== undefined) return known;
    const others = this.#options.members.others();
    for (const id of this.#pulses.keys()) if (!others.some((other) => other.id === id)) this.#pulses.delete(id);
    const pulse = new Pulse({ ask: (signal) => askForLife(member.url, signal) });
    this.#pulses.set(member.id, pulse);
    return pulse;
  }

  #headers(member: FleetMember, exchange: HttpExchange, lease: string | undefined): Readonly<Record<string, string>> {
    const { key, members, isLocal, addressOf } = this.#options;
    const { method = '', url = '' } = exchange.request;
    const local = isLocal(exchange);
    this.#sent += 1;
    const signed = { number: this.#sent, from: members.self.id, to: member.id, method, url, isLocal: local, lease };
    const proof = writeProof(key, signed);
    return {
      [PROOF_HEADER]: proof,
      [CLIENT_HEADER]: writeClient(key, proof, addressOf(exchange.request)),
      ...(local ? { [LOCAL_HEADER]: '1' } : {}),
      ...(lease === undefined ? {} : { [LEASE_HEADER]: lease }),
    };
  }
}
