import { randomBytes, randomUUID } from 'node:crypto';
import { signed } from '../src/core/http/standard-webhooks.ts';
import type { World } from './world.ts';

const made = new WeakMap<World, ReturnType<typeof create>>();

/** A channel of a carrier that reports over HTTP, and the headers by which it signs a body; one for a world. */
export function createChannel(world: World): ReturnType<typeof create> {
  const channel = made.get(world) ?? create(world);
  made.set(world, channel);
  return channel;
}

async function create(world: World) {
  const name = `carrier-${randomUUID().slice(0, 8)}`;
  const secret = `whsec_${randomBytes(24).toString('base64')}`;
  await world.db.query(
    `insert into channels (name, driver, types, priority, options) values ($1, 'http', '{hlr}', -1, $2)`,
    [name, { url: 'http://127.0.0.1:9/', secret }],
  );
  const callbacks = `${name}-callbacks`;
  await world.db.query(
    `insert into channels (name, driver, types, priority, options) values ($1, 'http-mapping', '{hlr}', -1, $2)`,
    [
      callbacks,
      {
        url: 'http://127.0.0.1:9/',
        request: '{}',
        response: '{}',
        callback: JSON.stringify({
          reference: '/reference',
          id: '/id',
          status: '/status',
          statuses: { failed: 'failed' },
          proof: { kind: 'header', name: 'x-proof' },
        }),
        callbackSecret: secret,
      },
    ],
  );
  // A process caches the channels for a second.
  await new Promise((resolve) => setTimeout(resolve, 1100));
  return {
    name,
    secret,
    headersFor: (body: unknown) => signed(secret, JSON.stringify(body)),
    /** A channel whose carrier calls in its own words, with the same secret in `x-proof`. */
    callbacks,
  };
}
