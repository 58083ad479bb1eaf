import react from '@vitejs/plugin-react';
import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
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

/**
 * The parts of zod that turn a schema into JSON Schema, for the server's document: every schema refers to them, so that no
 * bundler can drop them. Here their exports throw.
 */
const noJsonSchema = {
  name: 'no-json-schema',
  transform(code: string, id: string) {
    if (!/[\\/]zod[\\/]v4[\\/]core[\\/](json-schema-processors|to-json-schema)\.js/.test(id))
      return;
    const names = [
      ...code.matchAll(/^export (?:const|function) (\w+)/gm),
      ...code.matchAll(/^export \{ \w+ as (\w+) \}/gm),
    ].map(([, name]) => name!);
    return [
      "const absent = () => { throw new Error('The client has no JSON Schema') };",
      ...names.map((name) =>
        // Called for every schema that is made; what they return is called by who wants a JSON Schema.
        name.startsWith('create')
          ? `export const ${name} = () => absent;`
          : name === 'process'
            ? 'export { absent as process };'
            : `export const ${name} = absent;`,
      ),
    ].join('\n');
  },
};

export default defineConfig({
  plugins: [clientContract, noJsonSchema, react(), allIcons, licenses()],
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
