import { defineConfig } from 'vite';
import { compression } from 'vite-plugin-compression2';

/** One classic script: pages embed it with a tag, at a path that never changes. */
export default defineConfig({
  plugins: [compression({ include: /\.(js|css)$/, algorithms: ['brotliCompress', 'gzip'] })],
  build: {
    target: 'es2022',
    modulePreload: false,
    reportCompressedSize: false,
    lib: {
      entry: 'src/main.ts',
      formats: ['iife'],
      name: 'HeliographOtp',
      fileName: () => 'widget.js',
    },
  },
});
