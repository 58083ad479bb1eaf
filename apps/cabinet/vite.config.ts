import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { groups } from './chunks.ts';

const API = process.env.API_URL ?? 'http://127.0.0.1:3000';

/** Schemas are made by calls that a bundler cannot prove pure; nothing in these packages acts on import. */
const PURE_PACKAGES = /[\\/]packages[\\/](contract|domain)[\\/]/;

export default defineConfig({
  plugins: [react()],
  server: {
    host: '127.0.0.1',
    proxy: {
      '/api': { target: API },
      '^/s/': { target: API },
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
        moduleSideEffects: [{ test: PURE_PACKAGES, sideEffects: false }],
      },
      output: { codeSplitting: { groups } },
    },
  },
  test: { environment: 'node', include: ['src/**/*.test.ts'] },
});
