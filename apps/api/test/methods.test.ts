import { contract, type Endpoint } from '@heliograph/contract';
import request from 'supertest';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, World } from './world.ts';

let world: World;
let person: Person;
beforeAll(async () => {
  world = await World.start();
  person = await world.person();
});
afterAll(() => world.stop());

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND'] as const;
const ID = '01930000-0000-7000-8000-000000000999';
const ENDPOINTS = Object.values(contract).flatMap((nouns) => Object.values(nouns) as Endpoint[]);
const PATHS = [...new Set(ENDPOINTS.map(({ path }) => path))];

async function call(method: string, path: string, headers: Record<string, string> = {}) {
  const verb = method.toLowerCase() as 'get';
  const answer = await request(world.base)[verb](path).set(headers);
  return {
    status: answer.status,
    allow: (answer.headers as Record<string, string>).allow,
    json: answer.body as Record<string, unknown>,
  };
}

test('every path answers the methods that it does not have with 405 and names those it has', async () => {
  const wrong: string[] = [];
  for (const path of PATHS) {
    const url = `/api${path.replace(/:\w+/g, ID)}`;
    const own = ENDPOINTS.filter((def) => def.path === path).flatMap(({ method, alias }) => [
      method,
      ...(alias ? [alias] : []),
    ]);
    const { allow: all } = await call('PROPFIND', url);
    const allowed = all?.split(', ') ?? [];
    const options = await call('OPTIONS', url);
    // Of one-time codes every `OPTIONS` is a preflight.
    const isOfWidgets = path.startsWith('/n/otp-handler');
    expect(options).toMatchObject({ status: 204, ...(!isOfWidgets && { allow: all }) });
    expect(allowed).toEqual(expect.arrayContaining([...own, 'OPTIONS']));
    expect(allowed.includes('HEAD')).toBe(allowed.includes('GET'));
    for (const method of METHODS) {
      const { status, allow } = await call(method, url);
      const isRefused = status === 405 && allow === all;
      if (isRefused === allowed.includes(method)) wrong.push(`${method} ${path}: ${status}`);
    }
  }
  expect(wrong).toEqual([]);
});

test('405 has the usual body, with a session and without, for any spelling of the path', async () => {
  const paths = ['/api/sendings', '/api/sendings/', '/API/Sendings?x=1'];
  for (const path of paths)
    for (const authorization of ['', person.token, 'nobody'])
      expect(await call('DELETE', path, { authorization })).toEqual({
        status: 405,
        allow: 'GET, HEAD, OPTIONS, POST',
        json: {
          error: 405,
          code: 'method_not_allowed',
          name: 'AppError',
          message: 'This method is not allowed for this path.',
          requestId: expect.any(String),
          docs: `${world.config.publicUrl}/documentation/api/errors/method_not_allowed`,
        },
      });
  expect(await call('POST', '/api/openapi.json')).toMatchObject({
    status: 405,
    allow: 'GET, HEAD, OPTIONS',
  });
});

test('paths that the API does not have are 404 for every method', async () => {
  const paths = ['/api/nothing', '/api/sendings/x/y', '/sendings', '/api', '/apis/sendings'];
  for (const path of paths)
    for (const method of [...METHODS, 'OPTIONS'])
      expect([path, method, (await call(method, path)).status]).toEqual([path, method, 404]);
});

test('errors of paths of one-time codes have the fields of their clients', async () => {
  const { status, allow, json } = await call('PUT', '/api/n/otp-handler');
  expect([status, allow]).toEqual([405, 'OPTIONS, POST']);
  expect(json).toMatchObject({ type: 'MethodNotAllowedException', httpStatus: 405 });
  expect((await call('GET', '/api/n/otp-handler/a/b/c')).json).toMatchObject({
    type: 'NotFoundException',
    httpStatus: 404,
  });
});
