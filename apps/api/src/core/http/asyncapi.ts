import {
  COALESCE_MS,
  contract,
  MAX_ENTITIES,
  MAX_PAGE_AGE_SECONDS,
  Notification,
  RESOURCES,
  RESYNC,
  type Endpoint,
  type PersonEvents,
} from '@heliograph/contract';
import { NOUNS } from '@heliograph/contract/descriptions';
import * as z from 'zod';
import { Descriptions, exampleOf, type Schema } from './descriptions.ts';
import type { OpenApi } from './openapi/describe.ts';
import type { Installation } from './openapi/openapi.ts';

const CHANGES = ['created', 'updated', 'removed'] as const;
const READ_BY_PERSON: Record<Extract<keyof PersonEvents, `notifications.${string}`>, string> = {
  'notifications.sent': 'A notification was sent to the user.',
  'notifications.read':
    'Notifications of the user were marked as read, in this or another session.',
};

const ABOUT = [
  'Events over [socket.io](https://socket.io) 4, on the port of the API, namespace `/`. Use `transports: ["websocket"]`, or sticky sessions at',
  'the load balancer. Pass the session token as `auth.token` of the connection, as the query parameter `token` or in the header',
  '`Authorization`. Without a valid token the connection is refused with `unauthorized`; it is closed when the session ends. Browsers can connect',
  'only from the origin of the installation. Clients send no events.',
  '',
  `Changes of one owner and resource are collected for ${COALESCE_MS} ms. Up to ${MAX_ENTITIES} of them are sent as \`items\`, presented for the level of the`,
  'user, or as `ids` if they were removed. Larger numbers and bulk changes are sent as `{ groupId, count }`: fetch the list again.',
  `Events are not repeated: after a gap, and when permissions have changed, \`${RESYNC}\` is sent. Then fetch all displayed data again.`,
  `A page that fetched before it connected gives its age in milliseconds as \`auth.pageAge\`, at most ${MAX_PAGE_AGE_SECONDS} seconds: \`${RESYNC}\` tells it when events were sent meanwhile.`,
].join('\n');

/** AsyncAPI 3.0 of the socket events, from the schemas of the OpenAPI document. */
export function asyncapi(
  { version, site }: Installation,
  { components: { schemas: all } }: OpenApi,
  descriptions = new Descriptions(),
): object {
  const { host, protocol } = new URL(site);
  const used = new Set<string>();
  /** Marks a schema and the schemas that it references as used. */
  const use = (schema: Schema): Schema => {
    for (const [, name] of JSON.stringify(schema).matchAll(/#\/components\/schemas\/(\w+)/g)) {
      if (used.has(name!)) continue;
      used.add(name!);
      use(all[name!]!);
    }
    return schema;
  };
  const messages: Record<string, object> = {};
  const message = (name: string, summary: string, bodies: Schema[], path = 'event') => {
    for (const body of bodies) descriptions.schema(body, [path]);
    const payload = use(bodies.length ? { anyOf: bodies } : { type: 'null' });
    const examples = bodies.map((body) => ({ payload: exampleOf(body, all) }));
    messages[name] = { name, summary, payload, ...(examples.length && { examples }) };
  };

  for (const [resource, entity] of Object.entries(RESOURCES)) {
    const { many } = NOUNS[resource]!;
    for (const change of CHANGES) {
      const body = change === 'removed' ? ids() : items(entity);
      message(`${resource}.${change}`, `These ${many} were ${change}.`, [body, count()]);
    }
  }
  for (const [name, summary] of Object.entries(READ_BY_PERSON))
    message(name, summary, [items(Notification), ...(name.endsWith('read') ? [count()] : [])]);
  message('sessions.changed', 'Sessions of the user were opened or ended.', [changed()]);
  message('contacts.importing', 'Progress of an import, sent to the session that runs it.', [
    progress(),
  ]);
  message(
    'settingsUser.updated',
    'A personal setting was changed in another session.',
    [setting()],
    'settingEvent',
  );
  message(RESYNC, 'Events may have been lost: fetch all displayed data again.', []);

  const channels = Object.fromEntries([
    ...Object.keys(RESOURCES).map((resource) => [resource, channelOf(resource, messages)]),
    ['notifications', channelOf('notifications', messages)],
    [
      'sessions',
      channel('sessions', 'All sessions of the user, if it may read notifications.', [
        'sessions.changed',
      ]),
    ],
    [
      'settingsUser',
      channel('settingsUser', 'Other sessions of the user, except those opened by login-as.', [
        'settingsUser.updated',
      ]),
    ],
    [RESYNC, channel(null, 'Every socket.', [RESYNC])],
  ]) as Record<string, ReturnType<typeof channel>>;
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Heliograph events',
      version,
      license: { name: 'MIT' },
      contact: { url: site },
      tags: Object.keys(channels).map((name) => ({ name })),
      description: ABOUT,
    },
    defaultContentType: 'application/json',
    servers: {
      installation: {
        host,
        pathname: '/socket.io/',
        protocol: protocol === 'https:' ? 'wss' : 'ws',
        security: [
          { $ref: '#/components/securitySchemes/query' },
          { $ref: '#/components/securitySchemes/header' },
        ],
      },
    },
    channels,
    operations: Object.fromEntries(
      Object.keys(channels).map((name) => [
        name,
        {
          action: 'send',
          channel: { $ref: `#/channels/${name}` },
          description: channels[name]!.description,
        },
      ]),
    ),
    components: {
      messages,
      schemas: Object.fromEntries([...used].sort().map((name) => [name, all[name]])),
      securitySchemes: {
        query: {
          type: 'httpApiKey',
          in: 'query',
          name: 'token',
          description: 'The session token.',
        },
        header: {
          type: 'httpApiKey',
          in: 'header',
          name: 'Authorization',
          description: 'The session token, raw or after `Bearer`.',
        },
      },
    },
  };
}

/** Events of a resource are sent to users who may list the row. */
function channelOf(noun: string, messages: object) {
  const { find } = contract[noun as keyof typeof contract] as unknown as { find: Endpoint };
  const receivers =
    noun === 'notifications'
      ? 'All sessions of the user to whom the notification is addressed'
      : 'The account that owns the row, its reseller and its managers';
  const names = Object.keys(messages).filter((name) => name.startsWith(`${noun}.`));
  return channel(noun, `${receivers}, if they have the permission \`${find.can}\`.`, names);
}

const channel = (address: string | null, description: string, names: string[]) => ({
  address,
  summary: address ? `Changes of ${NOUNS[address]!.many}` : 'Gaps',
  description,
  messages: Object.fromEntries(
    names.map((name) => [name, { $ref: `#/components/messages/${name}` }]),
  ),
});

const object = (properties: Record<string, Schema>): Schema & { required: string[] } => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
});
const items = (entity: z.ZodType) =>
  object({
    items: {
      type: 'array',
      items: { $ref: `#/components/schemas/${z.globalRegistry.get(entity)!.id}` },
      minItems: 1,
    },
  });
const ids = () => object({ ids: { type: 'array', items: { type: 'string', format: 'uuid' } } });
const changed = () => object({ count: { type: 'integer' } });
const progress = () =>
  object({
    ListId: { type: 'string', format: 'uuid' },
    key: { type: 'string', format: 'uuid' },
    done: { type: 'integer' },
    left: { type: 'integer' },
  });
const setting = () =>
  object({
    key: { type: 'string' },
    value: {},
    updatedAt: { type: 'string', format: 'date-time' },
  });
const count = () =>
  object({ groupId: { type: ['string', 'null'], format: 'uuid' }, count: { type: 'integer' } });
