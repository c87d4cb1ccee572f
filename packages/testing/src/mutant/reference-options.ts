import type { FakeServerOptions } from '../definition/server-options.js';
import { referenceTools } from './reference-tools.js';

/** A server that does everything right: both eras, every feature, small pages. */
export const referenceOptions = (): FakeServerOptions => ({
  name: 'reference',
  version: '1.0.0',
  instructions: 'A server for tests. Its tools only read.',
  eras: 'both',
  tools: referenceTools,
  resources: [
    {
      uri: 'test://greeting',
      name: 'greeting',
      description: 'A short text.',
      mimeType: 'text/plain',
      annotations: { audience: ['user'], priority: 0.5, lastModified: '2026-01-31T12:00:00Z' },
      extra: { size: 5 },
      text: 'Hello',
    },
    {
      uri: 'test://pixel',
      name: 'pixel',
      description: 'One pixel.',
      mimeType: 'image/png',
      blob: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=',
    },
    {
      uri: 'test://numbers',
      name: 'numbers',
      description: 'Some JSON.',
      mimeType: 'application/json',
      text: '[1,2,3]',
    },
  ],
  resourceTemplates: [
    {
      uriTemplate: 'test://notes/{id}',
      name: 'note',
      description: 'A note by its number.',
      mimeType: 'text/plain',
      text: 'Note {id}',
    },
  ],
  prompts: [
    { name: 'summarise', description: 'Asks for a summary.', text: 'Summarise what was said.' },
    {
      name: 'translate',
      description: 'Asks for a translation.',
      arguments: [
        { name: 'language', description: 'Into which language.', required: true },
        { name: 'tone', description: 'How it should sound.' },
      ],
      text: 'Translate this into {language}.',
    },
  ],
  completions: { language: ['Danish', 'Dutch', 'French'], tone: ['formal', 'friendly'], id: ['1', '2', '3'] },
  resumable: true,
  pageSize: 2,
  ttlMs: 60_000,
  cacheScope: 'private',
});
