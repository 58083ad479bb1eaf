import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

const API = process.env.API_URL ?? 'http://127.0.0.1:3000';

/** Third-party code that every page needs changes rarely: its own chunks stay cached over releases. */
const groups = [
  { name: 'react', test: /[\\/]node_modules[\\/](react|react-dom|scheduler|react-router)[\\/]/ },
  { name: 'i18n', test: /[\\/]node_modules[\\/](i18next|react-i18next)[\\/]/ },
  { name: 'data', test: /[\\/]node_modules[\\/]@tanstack[\\/](react-query|query-core)[\\/]/ },
];

/** Schemas are made by calls that a bundler cannot prove pure; nothing in these packages acts on import. */
const PURE_PACKAGES = /[\\/]packages[\\/](contract|domain)[\\/]/;

export default defineConfig({
  plugins: [react()],
  server: {
    host: '127.0.0.1',
    proxy: {
      '/api': { target: API },
      '/socket.io': { target: API, ws: true },
    },
  },
  build: {
    target: 'es2023',
    manifest: true,
    // Small files as data: URLs would need `img-src data:` in the policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      treeshake: {
        moduleSideEffects: [
          { test: PURE_PACKAGES, sideEffects: false },
        ],
      },
      output: { codeSplitting: { groups } },
    },
  },
  test: { environment: 'node', include: ['src/**/*.test.ts'] },
});
