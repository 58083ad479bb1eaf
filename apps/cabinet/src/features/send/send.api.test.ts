import { expect, it } from 'vitest';
import { curlOf } from './send.api.ts';

it('a request as a command survives quotes and names no token', () => {
  const command = curlOf('https://send.example', { text: `it's {firstName}` });
  expect(command).toContain(`'https://send.example/api/sendings'`);
  expect(command).toContain(`it'\\''s {firstName}`);
  expect(command).toContain('Authorization: Bearer $TOKEN');
});
