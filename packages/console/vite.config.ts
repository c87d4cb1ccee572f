import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

// `npm run dev:console` serves the pages with hot reload, and passes everything else on to a hub that runs.
const HUB = process.env['PLUGBOARD_URL'] ?? 'http://127.0.0.1:2091';
const HUB_PATHS = '^/(v1|servers|toolsets|mcp|health|ready|metrics|docs|openapi\\.json)(/|$)';

/** The form library names this package in a part for its own tests. It compiles code, and is neither installed nor used. */
const withoutAjv: Plugin = {
  name: 'without-ajv',
  resolveId: (id) => (id === '@rjsf/validator-ajv8' ? `\0${id}` : null),
  load: (id) => (id === '\0@rjsf/validator-ajv8' ? 'export default {};' : null),
};

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  plugins: [react(), withoutAjv],
  build: {
    outDir: '../plugboard/dist/console',
    emptyOutDir: true,
    target: 'es2023',
    // A browser that takes a policy for scripts reads modules; this keeps the page free of inline ones.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 400,
  },
  server: {
    port: 5173,
    proxy: {
      [HUB_PATHS]: {
        target: HUB,
        changeOrigin: true,
        // The hub takes changes from its own pages only.
        configure: (proxy) => {
          proxy.on('proxyReq', (request) => {
            if (request.hasHeader('origin')) request.setHeader('origin', HUB);
          });
        },
      },
    },
  },
});
