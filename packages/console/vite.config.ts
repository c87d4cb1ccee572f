import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

// `npm run dev:console` serves the pages with hot reload, and passes everything else on to a hub that runs.
const HUB = process.env['PLUGBOARD_URL'] ?? 'http://127.0.0.1:2091';
const HUB_PATHS = '^/(v1|servers|toolsets|mcp|health|ready|metrics|docs|openapi\\.json)(/|$)';

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  plugins: [react()],
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
