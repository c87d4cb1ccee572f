import type { OpenApiDocument } from '../openapi/document-types.js';
import { html, prose, type Markup } from './html.js';
import { breakable, methodBadge, operationSection, type ListedOperation } from './operation-section.js';
import { schemaOutline } from './schema-outline.js';
import { STYLE } from './style.js';

/** Where a hub listens unless told otherwise: what the examples speak to. */
const ORIGIN = 'http://127.0.0.1:2091';

interface Chapter {
  readonly name: string;
  readonly anchor: string;
  readonly operations: readonly ListedOperation[];
}

const chapters = ({ paths, tags }: OpenApiDocument): readonly Chapter[] => {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );
  return tags.map(({ name }) => ({
    name,
    anchor: name.toLowerCase().replaceAll(/\W+/gu, '-'),
    operations: all.filter(({ operation }) => operation.tags.includes(name)),
  }));
};

const navigation = (list: readonly Chapter[]): Markup =>
  html`<nav aria-label="Routes">
    ${list.map(
      ({ name, anchor, operations }) =>
        html`<h2><a href="#${anchor}">${name}</a></h2>
          <ul>
            ${operations.map(
              ({ method, path, operation }) =>
                html`<li>
                  <a href="#${operation.operationId}" title="${method.toUpperCase()} ${path}"
                    >${methodBadge(method)} ${operation.summary}</a
                  >
                </li>`,
            )}
          </ul>`,
    )}
    <h2><a href="#schemas">Shapes</a></h2>
  </nav>`;

const overview = (list: readonly Chapter[]): Markup =>
  html`<table class="overview">
    <caption>
      All routes
    </caption>
    <tbody>
      ${list.flatMap(({ operations }) =>
        operations.map(
          ({ method, path, operation }) =>
            html`<tr>
              <td>${methodBadge(method)}</td>
              <td>
                <a href="#${operation.operationId}"><code>${breakable(path)}</code></a>
              </td>
              <td>${operation.summary}</td>
            </tr>`,
        ),
      )}
    </tbody>
  </table>`;

const shapes = ({ components }: OpenApiDocument): Markup =>
  html`<section id="schemas" aria-labelledby="schemas-title">
    <h2 id="schemas-title">Shapes</h2>
    ${Object.entries(components.schemas).map(
      ([name, schema]) =>
        html`<article id="schema-${name}" class="shape">
          <h3><a href="#schema-${name}">${name}</a></h3>
          <div class="box">${schemaOutline(schema)}</div>
        </article>`,
    )}
  </section>`;

/** The document as one page that loads nothing and runs nothing. */
export const docsPage = (document: OpenApiDocument): string => {
  const list = chapters(document);
  const { title, version, description } = document.info;
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        <style>
          ${{ markup: STYLE }}
        </style>
      </head>
      <body>
        <a class="skip" href="#content">Skip to the routes</a>
        ${navigation(list)}
        <main id="content">
          <header>
            <h1>${title} <small>${version}</small></h1>
            <p>${prose(description)}</p>
            <p>The same for programs: <a href="/openapi.json">openapi.json</a></p>
          </header>
          ${overview(list)}
          ${list.map(
            ({ name, anchor, operations }) =>
              html`<section id="${anchor}" aria-labelledby="${anchor}-title">
                <h2 id="${anchor}-title">${name}</h2>
                ${operations.map((operation) => operationSection(operation, ORIGIN, document.components.schemas))}
              </section>`,
          )}
          ${shapes(document)}
        </main>
      </body>
    </html>`;
  return page.markup;
};
