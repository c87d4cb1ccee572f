import type { JsonSchema, OperationObject, ParameterObject, ResponseObject } from '../openapi/document-types.js';
import { curlExample } from './curl-example.js';
import { html, prose, type Markup } from './html.js';
import { resolved, schemaOutline, typeOf } from './schema-outline.js';

type NamedSchemas = Readonly<Record<string, JsonSchema>>;

export interface ListedOperation {
  readonly method: string;
  readonly path: string;
  readonly operation: OperationObject;
}

export const methodBadge = (method: string): Markup =>
  html`<span class="method ${method}">${method.toUpperCase()}</span>`;

/** Lets a long path break after its slashes. */
export const breakable = (path: string): Markup =>
  html`${path.split('/').map((part, index) => (index === 0 ? html`${part}` : html`/<wbr />${part}`))}`;

const parameters = (list: readonly ParameterObject[]): Markup =>
  html`<h4>Parameters</h4>
    <table>
      <thead>
        <tr>
          <th scope="col">name</th>
          <th scope="col">in</th>
          <th scope="col">type</th>
          <th scope="col">meaning</th>
        </tr>
      </thead>
      <tbody>
        ${list.map(
          (each) =>
            html`<tr>
              <td><code>${each.name}</code></td>
              <td>${each.in}</td>
              <td class="type">${typeOf(each.schema)}</td>
              <td>${prose(each.description ?? '')}</td>
            </tr>`,
        )}
      </tbody>
    </table>`;

const requestBody = (body: NonNullable<OperationObject['requestBody']>, named: NamedSchemas): Markup => {
  const schema = body.content['application/json']?.schema ?? {};
  return html`<h4>Body <small>${typeOf(schema)}, JSON, ${body.required ? 'required' : 'optional'}</small></h4>
    <div class="box">${schemaOutline(resolved(schema, named))}</div>`;
};

const response = (status: string, answer: ResponseObject): Markup => {
  const [mediaType, content] = Object.entries(answer.content ?? {})[0] ?? [];
  const headers = Object.entries(answer.headers ?? {});
  return html`<tr>
    <td><span class="status s${status[0]}">${status}</span></td>
    <td>
      ${prose(answer.description)}${headers.map(([name, { description }]) => html`<br /><code>${name}</code> ${prose(description)}`)}
    </td>
    <td class="type">
      ${content === undefined ? 'no body' : typeOf(content.schema)}${
        mediaType === undefined || mediaType === 'application/json' ? '' : html` <small>${mediaType}</small>`
      }
    </td>
  </tr>`;
};

/** Everything about one operation. */
export const operationSection = (
  { method, path, operation }: ListedOperation,
  origin: string,
  named: NamedSchemas,
): Markup =>
  html`<article id="${operation.operationId}">
    <h3><a href="#${operation.operationId}">${operation.summary}</a></h3>
    <p class="route">${methodBadge(method)} <code>${breakable(path)}</code></p>
    ${operation.description === undefined ? '' : html`<p>${prose(operation.description)}</p>`}
    <pre tabindex="0"><code>${curlExample(origin, method, path, operation)}</code></pre>
    ${operation.parameters === undefined ? '' : parameters(operation.parameters)}
    ${operation.requestBody === undefined ? '' : requestBody(operation.requestBody, named)}
    <h4>Answers</h4>
    <table>
      <thead>
        <tr>
          <th scope="col">status</th>
          <th scope="col">when</th>
          <th scope="col">body</th>
        </tr>
      </thead>
      <tbody>
        ${Object.entries(operation.responses).map(([status, answer]) => response(status, answer))}
      </tbody>
    </table>
  </article>`;
