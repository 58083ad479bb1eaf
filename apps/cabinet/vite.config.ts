import react from '@vitejs/plugin-react';
import { readFileSync } from 'node:fs';
import { compression } from 'vite-plugin-compression2';
import { defineConfig } from 'vitest/config';
import { absent, noJsonSchema } from './absent.ts';
import { groups } from './chunks.ts';
import { clientContract } from './client-contract.ts';
import { licenses } from './licenses.ts';

const API = process.env.API_URL ?? 'http://127.0.0.1:3000';

/** Schemas are made by calls that a bundler cannot prove pure; nothing in these packages acts on import. */
const PURE_PACKAGES = /[\\/]packages[\\/](contract|domain)[\\/]/;

/**
 * `virtual:icons`: the icons of ui/icons.ts once more, in modules of their own. A page that imported those themselves would
 * have every other page load all of them.
 */
const allIcons = {
  name: 'all-icons',
  resolveId: (id: string) => (id === 'virtual:icons' ? id : undefined),
  load: (id: string) =>
    id === 'virtual:icons'
      ? readFileSync(new URL('src/ui/icons.ts', import.meta.url), 'utf8').replaceAll(
          ".mjs'",
          ".mjs?all'",
        )
      : undefined,
};

/** `app.js.br` and `app.js.gz` beside `app.js`: the server sends what the browser accepts. */
const compressed = compression({
  include: /\.(js|mjs|css|html|svg|json|txt|wasm)$/,
  algorithms: ['brotliCompress', 'gzip'],
});

export default defineConfig({
  plugins: [clientContract, noJsonSchema, absent, react(), allIcons, licenses(), compressed],
  server: {
    host: '127.0.0.1',
    proxy: {
      '/api': { target: API },
      '^/s/': { target: API },
      '^/otp/': { target: API },
      '/socket.io': { target: API, ws: true },
    },
  },
  build: {
    target: 'es2023',
    manifest: true,
    // A small file in a script or a style would be received again with every change of that.
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
