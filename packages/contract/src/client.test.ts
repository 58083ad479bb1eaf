import { expect, it } from 'vitest';
import { ApiError, createClient, NoAnswer } from './client.ts';
import { settings } from './settings.ts';
import { tasks } from './tasks.ts';

const asked = (answer: () => Promise<Response>) =>
  createClient({ base: '', fetch: answer })(settings.get);

it('nobody there, or lost in the middle of an answer, is no answer', async () => {
  const nobody = () => Promise.reject(new TypeError('Failed to fetch'));
  await expect(asked(nobody)).rejects.toThrow(NoAnswer);
  const cut = new ReadableStream({
    start(stream) {
      stream.enqueue(new TextEncoder().encode('{"data": ['));
      stream.error(new TypeError('network error'));
    },
  });
  await expect(asked(async () => new Response(cut))).rejects.toThrow(NoAnswer);
});

it('a question that was taken back is not one', async () => {
  const stopped = new DOMException('stopped', 'AbortError');
  await expect(asked(() => Promise.reject(stopped))).rejects.toBe(stopped);
});

it('a gateway that answers for nobody is a refusal', async () => {
  const gateway = async () => new Response('<html>', { status: 502 });
  const refusal = await asked(gateway).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(ApiError);
  expect(refusal).toMatchObject({ status: 502, code: 'unavailable' });
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
