import { defineConfig } from 'vite';

/** One classic script: pages embed it with a tag, at a path that never changes. */
export default defineConfig({
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
