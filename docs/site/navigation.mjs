// The order in which the pages are read. A page under docs/ that is not named here fails the build.
export const NAVIGATION = [
  { chapter: 'Begin', pages: ['index', 'getting-started', 'concepts'] },
  {
    chapter: 'Recipes',
    pages: [
      'recipes/claude-desktop',
      'recipes/cursor',
      'recipes/vscode',
      'recipes/langchain',
      'recipes/ci',
      'recipes/documents-to-report',
    ],
  },
  {
    chapter: 'The hub',
    pages: [
      'registry',
      'operate',
      'gateway',
      'console',
      'toolsets',
      'guard',
      'observability',
      'services',
      'plugins',
      'performance',
      'conformance',
    ],
  },
  { chapter: 'Access', pages: ['access', 'oauth', 'hardening', 'SECURITY'] },
  { chapter: 'Surfaces', pages: ['cli', 'admin-api', 'configuration', 'errors', 'letta-compatibility'] },
  {
    chapter: 'Schemas',
    pages: ['schema', 'schema-grades', 'schema-rules', 'provider-compatibility'],
  },
  {
    chapter: 'The referee',
    pages: ['check', 'checks', 'bench', 'judged-servers', 'judged-repeats', 'judged-comparison'],
  },
  { chapter: 'Bundled servers', pages: ['documents', 'collections', 'sandbox'] },
  { chapter: 'Libraries', pages: ['client', 'agents', 'supervisor', 'testing'] },
  { chapter: 'About', pages: ['ARCHITECTURE', 'GLOSSARY', 'CHANGELOG', 'CONTRIBUTING'] },
];
