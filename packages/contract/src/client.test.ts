import { expect, it } from 'vitest';
import { ApiError, createClient, NoAnswer } from './client.ts';
import { settings } from './settings.ts';
import { tasks } from './tasks.ts';

const request = (answer: () => Promise<Response>) =>
  createClient({ base: '', fetch: answer })(settings.get);

it('throws NoAnswer if the server is unreachable or the connection is lost during the response', async () => {
  const unreachable = () => Promise.reject(new TypeError('Failed to fetch'));
  await expect(request(unreachable)).rejects.toThrow(NoAnswer);
  const cut = new ReadableStream({
    start(stream) {
      stream.enqueue(new TextEncoder().encode('{"data": ['));
      stream.error(new TypeError('network error'));
    },
  });
  await expect(request(async () => new Response(cut))).rejects.toThrow(NoAnswer);
});

it('rethrows the error of an aborted request', async () => {
  const stopped = new DOMException('stopped', 'AbortError');
  await expect(request(() => Promise.reject(stopped))).rejects.toBe(stopped);
});

it('throws ApiError for a response of a proxy without a body of the API', async () => {
  const gateway = async () => new Response('<html>', { status: 502 });
  const error = await request(gateway).catch((error: unknown) => error);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ status: 502, code: 'unavailable' });
});

it('requires params where the path has them', async () => {
  const requested: string[] = [];
  const api = createClient({
    base: '',
    fetch: async (url) => {
      requested.push(String(url));
      return Response.json({});
    },
  });
  await api(tasks.get, { params: { id: '7' } });
  // @ts-expect-error the path has an id
  await api(tasks.get);
  // @ts-expect-error the path has an id
  await api(tasks.get, { query: undefined });
  await api(settings.get);
  expect(requested[0]).toBe('/tasks/7');
});
