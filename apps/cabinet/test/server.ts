import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';

const ME = { id: 'user', OwnerId: 'owner', username: 'me', level: 'manager', data: {} };

/** The API as the tests of components see it: each test adds the responses it needs. */
export const server = setupServer(
  http.get('*/api/users/me', () => HttpResponse.json(ME)),
  http.get('*/api/contactFields', () => HttpResponse.json({ OwnerId: 'owner', fields: [] })),
);

/** A refusal with errors in the shape of the specification, `errors`, or in the other one, `data`. */
export function refuse(
  method: 'post' | 'put',
  path: string,
  body: { code?: string; errors?: object[]; data?: object[] },
  status = 422,
): void {
  const whole = { name: 'AppError', code: 'validation', message: 'Refused.', status, ...body };
  server.use(http[method](`*/api${path}`, () => HttpResponse.json(whole, { status })));
}

/** Accepts calls, each after `until`, and records their bodies. */
export function accept(
  method: 'post' | 'put',
  path: string,
  response: object = {},
  until?: Promise<void>,
): unknown[] {
  const bodies: unknown[] = [];
  server.use(
    http[method](`*/api${path}`, async ({ request }) => {
      bodies.push(await request.json());
      await until;
      return HttpResponse.json(response, { status: 201 });
    }),
  );
  return bodies;
}
