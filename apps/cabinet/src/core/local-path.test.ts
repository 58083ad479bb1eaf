import { expect, it } from 'vitest';
import { localPath } from './local-path.ts';

/** Where a browser at `https://app.example/login` would go. */
const goes = (path: string) => new URL(path, 'https://app.example/login');

it.each([
  ['/', '/'],
  ['/messages/tasks?page=2', '/messages/tasks?page=2'],
  ['/contacts?q=Анна#last', '/contacts?q=%D0%90%D0%BD%D0%BD%D0%B0#last'],
  ['/contacts/x?back=https://elsewhere.example', '/contacts/x?back=https://elsewhere.example'],
  ['/sendings', '/sendings'],
  ['/a/../messages', '/messages'],
])('%j is a page of this site', (to, path) => {
  expect(localPath(to)).toBe(path);
});

it.each([
  null,
  '',
  'messages',
  '?to=x',
  '#x',
  'https://elsewhere.example',
  'HTTPS:elsewhere.example',
  '//elsewhere.example',
  '///elsewhere.example',
  '/\\elsewhere.example',
  '\\\\elsewhere.example',
  '\\/elsewhere.example',
  '/\t/elsewhere.example',
  '/\n/elsewhere.example',
  '/\r\n/elsewhere.example',
  '\t//elsewhere.example',
  ' //elsewhere.example',
  '/\t\\elsewhere.example',
  '/./\t/elsewhere.example',
  '/.//elsewhere.example',
  '/a/..//elsewhere.example',
  '/%2e//elsewhere.example',
  '/%2E%2e//elsewhere.example',
  '/.\\\\elsewhere.example',
  '//elsewhere.example@app.example',
  '//app.example@elsewhere.example',
  '//[::1',
  'javascript:alert(1)',
  'java\nscript:alert(1)',
  '\u0001javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'blob:https://app.example/x',
  '／／elsewhere.example',
  '\u00a0//elsewhere.example',
  '\ufeff//elsewhere.example',
  // A short link leads where somebody else says.
  '/s/abcdefghi',
  '/S/abcdefghi',
  '/a/../s/abcdefghi',
  '/api/login/as/x',
  '/socket.io/',
])('%j is none', (to) => {
  expect(localPath(to)).toBe('/');
});

it.each([
  '/%2f/elsewhere.example',
  '/%5celsewhere.example',
  '/%09/elsewhere.example',
  '/／elsewhere.example',
  '/:80',
  '/@elsewhere.example',
  '/\u202e//x',
  '/\u0000/x',
  '/a\\\\b',
])('what becomes of %j stays here', (to) => {
  const { origin, pathname } = goes(localPath(to));
  expect(origin).toBe('https://app.example');
  expect(pathname.startsWith('//')).toBe(false);
  // Taken once more it is the same.
  expect(localPath(localPath(to))).toBe(localPath(to));
});
