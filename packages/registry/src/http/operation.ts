import type { ErrorCode } from '@plugboard/contract';
import type { z } from 'zod';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** The chapters of the docs page, in its order. */
export const TAGS = {
  servers: 'Servers, by id',
  tools: 'Tools',
  toolsets: 'Toolsets',
  agents: 'Agents',
  access: 'Access to the hub',
  named: 'Servers, by name',
  oauth: 'Logins to servers',
  checks: 'The referee',
  benchmarks: 'Benchmarks',
  services: 'Health-only services',
  plugins: 'Plug-ins',
  watch: 'What happens',
  hub: 'The hub',
} as const;
export type Tag = keyof typeof TAGS;

export interface Answer {
  readonly description: string;
  readonly schema?: z.ZodType;
  readonly mediaType?: string;
  /** Header names and what they say. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** One route, declared once: routing, validation, OpenAPI and the docs page are all read from it. */
export interface Operation {
  readonly id: string;
  readonly method: Method;
  /** An OpenAPI path template, such as `/v1/mcp-servers/{mcp_server_id}`. */
  readonly path: `/${string}`;
  readonly tag: Tag;
  readonly summary: string;
  readonly description?: string;
  readonly query?: z.ZodObject;
  /** Strangers choose the parameters, so unknown ones are ignored; everywhere else they are rejected. */
  readonly openQuery?: true;
  readonly body?: z.ZodType;
  /** Without a body the route behaves as with `{}`. */
  readonly bodyOptional?: true;
  readonly bodyExample?: unknown;
  readonly answers: Readonly<Record<number, Answer>>;
  /** The answer has a secret that is told once, so it is kept nowhere. */
  readonly tellsSecret?: true;
  /** What the route itself may fail with; what every route may fail with is added to it. */
  readonly errors: readonly ErrorCode[];
}
