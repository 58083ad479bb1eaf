import { defineConfig } from 'vite';
import { compression } from 'vite-plugin-compression2';

/** The script of hosted sign-up forms, beside the widget, whose build comes first and empties the folder. */
export default defineConfig({
  plugins: [compression({ include: /\.(js|css)$/, algorithms: ['brotliCompress', 'gzip'] })],
  publicDir: false,
  build: {
    target: 'es2022',
    modulePreload: false,
    reportCompressedSize: false,
    emptyOutDir: false,
    lib: {
      entry: 'src/signup.ts',
      formats: ['iife'],
      name: 'HeliographSignup',
      fileName: () => 'signup.js',
    },
  },
});
