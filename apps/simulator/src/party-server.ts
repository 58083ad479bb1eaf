import type { SimulatedParty } from '@heliograph/simulators';
import type { Server } from 'node:http';

import { readForm } from './form.ts';
import { createHttpServer } from './http-server.ts';

/** Serves a simulated party in a process of its own. */
export function serveParty(party: SimulatedParty): Server {
  return createHttpServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://party');
    const { status, html, json, location } = await party.respond({
      method: request.method ?? 'GET',
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      authorization: request.headers.authorization,
      body: await readForm(request),
    });
    if (location) return void response.writeHead(status, { location }).end();
    const type = html ? 'text/html; charset=utf-8' : 'application/json';
    response.writeHead(status, { 'content-type': type }).end(html ?? JSON.stringify(json ?? null));
  });
}
