import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';

import { expect, it, onTestFinished, vi } from 'vitest';

import { readForm } from './form.ts';
import { createHttpServer } from './http-server.ts';

function listen(server: Server): Promise<number> {
  onTestFinished(() => void server.close().closeAllConnections());
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

it('logs no error when a caller goes away in the middle of its request', async () => {
  const log = vi.spyOn(console, 'error');
  const { promise: failure, resolve } = Promise.withResolvers<unknown>();
  const server = createHttpServer(async (request) => {
    caller.destroy();
    await readForm(request).finally(() => resolve(request.errored));
  });
  const caller = connect(await listen(server), '127.0.0.1');
  caller.write('POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\nhalf');
  expect(await failure).toMatchObject({ code: 'ECONNRESET' });
  await setImmediate();
  expect(log).not.toHaveBeenCalled();
});

it('logs and answers an error of its handler', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const error = new Error('out of order');
  const port = await listen(createHttpServer(() => Promise.reject(error)));
  const answer = await fetch(`http://127.0.0.1:${port}`);
  expect([answer.status, await answer.json()]).toEqual([500, { message: 'out of order' }]);
  expect(log).toHaveBeenCalledExactlyOnceWith(error);
});
