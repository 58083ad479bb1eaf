import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';

import { BadRequest } from './messages.ts';

export interface Reply {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

/** A server that answers what its handler throws. A caller that went away before its request had arrived gets no answer. */
export function createHttpServer(
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Server {
  return createServer((request, response) => {
    handle(request, response).catch((error: Error) => {
      if (request.errored) return;
      const status = error instanceof BadRequest ? 400 : 500;
      if (status === 500) console.error(error);
      if (response.headersSent) response.destroy();
      else send(response, { status, body: { message: error.message } });
    });
  });
}

export function send(response: ServerResponse, { status, body, headers }: Reply): void {
  if (body === undefined) {
    response.writeHead(status, headers).end();
    return;
  }
  const text = JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
}
