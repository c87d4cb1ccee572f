import type { KeyValue } from '../../send/outgoing-request.js';
import type { JsonValue } from '../../sandbox/isolate/isolate-job.js';

export type JsonObject = Readonly<Record<string, JsonValue>>;

export type CollectionKind = 'postman' | 'openapi';

export interface Variable {
  readonly key: string;
  readonly value: string;
  /** Never shown. */
  readonly secret: boolean;
}

export interface RequestAuth {
  readonly type: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** A part of a form: a text, or the content of a file of the directory. */
export type FormField =
  | KeyValue
  | { readonly key: string; readonly file: string; readonly contentType?: string | undefined };

/** How a request is sent, as Postman's `protocolProfileBehavior` has it. */
export interface RequestBehaviour {
  readonly followRedirects?: boolean;
  readonly disableBodyPruning?: boolean;
}

export type RequestBody =
  | { readonly mode: 'none' }
  | { readonly mode: 'raw'; readonly text: string; readonly contentType?: string }
  | { readonly mode: 'urlencoded'; readonly fields: readonly KeyValue[] }
  | { readonly mode: 'formdata'; readonly fields: readonly FormField[] }
  | { readonly mode: 'graphql'; readonly query: string; readonly variables: string }
  | { readonly mode: 'file'; readonly src: string };

/** What the description of an API promises about answers. */
export interface ResponsePromise {
  /** By status, by range such as `2XX`, or `default`; the JSON Schema of the body where there is one. */
  readonly byStatus: Readonly<Record<string, { readonly jsonSchema?: object }>>;
}

/** A request before its variables are filled in. */
export interface RequestModel {
  /** Folders and name; unique in the collection. */
  readonly id: string;
  readonly name: string;
  readonly folder: readonly string[];
  readonly description: string;
  readonly method: string;
  /** With `{{variables}}`. */
  readonly url: string;
  /** Values of `:name` segments. */
  readonly pathVariables: readonly KeyValue[];
  /** Beside what stands in the URL. */
  readonly query?: readonly KeyValue[];
  readonly headers: readonly KeyValue[];
  readonly body: RequestBody;
  readonly auth: RequestAuth | undefined;
  readonly scripts: { readonly before: readonly string[]; readonly after: readonly string[] };
  readonly behaviour?: RequestBehaviour;
  /** The request in Postman's own format, for scripts. */
  readonly definition?: JsonObject;
  /** Postman's id of the item, by which scripts may name it. */
  readonly itemId?: string | undefined;
  /** Values for variables that nobody else gives. */
  readonly defaults?: Readonly<Record<string, string>>;
  readonly promise?: ResponsePromise;
}

export interface CollectionModel {
  readonly id: string;
  readonly kind: CollectionKind;
  readonly name: string;
  readonly description: string;
  readonly variables: readonly Variable[];
  readonly requests: readonly RequestModel[];
}

export interface EnvironmentModel {
  readonly id: string;
  readonly name: string;
  readonly variables: readonly Variable[];
}
