import { http, HttpResponse } from 'msw';
import { expect, test, vi } from 'vitest';
import { server } from '../../../test/server.ts';
import { exampleValues, pathWith, sendCall } from './send-call.ts';

const CALL = {
  method: 'POST',
  path: '/api/contacts/a%2Fb?live=false',
  headers: { Authorization: 'Bearer hg_…', 'Content-Type': 'application/json' },
  body: '{"type":"sms"}',
};
const signal = () => new AbortController().signal;

test('fields have the documented values and make the path again', () => {
  const title = 'POST /contacts/{id}';
  const values = exampleValues(title, CALL);
  expect(values).toEqual({ id: 'a/b', live: 'false' });
  expect(pathWith(title, values, new Set())).toBe(CALL.path);
  const more = { id: '../x', live: ' ', $scope: 'full, other', search: 'a,b&c' };
  expect(pathWith(title, more, new Set(['$scope']))).toBe(
    '/api/contacts/..%2Fx?%24scope=full&%24scope=other&search=a%2Cb%26c',
  );
});

test('a call has the token, asks for a test one and brings nothing of the session', async () => {
  const sent: Request[] = [];
  server.use(
    http.post('*/api/contacts/*', ({ request }) => {
      sent.push(request);
      return HttpResponse.json(
        { code: 'forbidden', docs: 'https://x.example/documentation/api/errors/forbidden' },
        { status: 403, headers: { 'x-request-id': 'r1', 'x-other': 'o' } },
      );
    }),
  );
  const asked = vi.spyOn(globalThis, 'fetch');
  const answer = await sendCall(CALL, 'hg_test', signal());
  const [{ headers }] = sent as [Request];
  expect(headers.get('authorization')).toBe('Bearer hg_test');
  expect(headers.get('x-test-only')).toBe('true');
  expect(asked.mock.calls[0]![1]).toMatchObject({ credentials: 'omit', cache: 'no-store' });
  expect(answer).toMatchObject({
    status: 403,
    code: 'forbidden',
    docs: '/documentation/api/errors/forbidden',
    isCut: false,
  });
  expect(answer.text).toContain('{\n  "code": "forbidden",');
  expect(answer.headers).toEqual([
    ['content-type', 'application/json'],
    ['x-request-id', 'r1'],
  ]);
});

test('of a long answer the beginning is read, a file is not shown, and no address outside of the documentation is linked', async () => {
  const answers = [
    new HttpResponse('Ж'.repeat(300_000), { headers: { 'content-type': 'text/plain' } }),
    new HttpResponse('PK', { headers: { 'content-type': 'application/zip' } }),
    HttpResponse.json({ code: 7, docs: 'https://x.example/other' }, { status: 400 }),
    new HttpResponse(null, { status: 204 }),
  ];
  server.use(http.post('*/api/contacts/*', () => answers.shift()));
  const long = await sendCall(CALL, 'hg_test', signal());
  expect([long.isCut, long.text!.length]).toEqual([true, 100_000]);
  expect((await sendCall(CALL, 'hg_test', signal())).text).toBeNull();
  expect(await sendCall(CALL, 'hg_test', signal())).toMatchObject({ code: null, docs: null });
  expect((await sendCall(CALL, 'hg_test', signal())).text).toBe('');
});
