import {
  Billing,
  COALESCE_MS,
  Contact,
  ContactList,
  contract,
  Link,
  MAX_ENTITIES,
  Notification,
  Pattern,
  RESYNC,
  Sending,
  Sendername,
  SendingIncoming,
  StoredFile,
  Tariff,
  Task,
  TemplateRow,
  User,
  Visit,
  type Endpoint,
  type PersonEvents,
  type Resource,
  type Resources,
} from '@heliograph/contract';
import { NOUNS } from '@heliograph/contract/descriptions';
import * as z from 'zod';
import { Descriptions, exampleOf, type Schema } from './descriptions.ts';
import { openapi } from './openapi.ts';

/** What the events of each resource carry. */
const ENTITIES: { [R in Resource]: z.ZodType<Resources[R]> } = {
  sendings: Sending,
  sendingsIncoming: SendingIncoming,
  tasks: Task,
  templates: TemplateRow,
  patterns: Pattern,
  sendernames: Sendername,
  contactLists: ContactList,
  contacts: Contact,
  storage: StoredFile,
  billings: Billing,
  links: Link,
  tariffs: Tariff,
  telemetry: Visit,
  users: User,
};
const CHANGES = ['created', 'updated', 'removed'] as const;
const READ_BY_PERSON: Record<Exclude<keyof PersonEvents, 'contacts.importing'>, string> = {
  'notifications.sent': 'The person was told something.',
  'notifications.read': 'Notifications of the person were marked as read, here or elsewhere.',
};

const ABOUT = [
  'Events over [socket.io](https://socket.io) 4, on the port of the API, namespace `/`. A client says `transports: ["websocket"]`, or is kept on',
  'one process by the balancer. The session token goes into `auth.token` of the connection, else into the query as `token` or into the header',
  '`Authorization`; without a valid one the connection is refused with `unauthorized`, and it is closed when the session ends. A browser connects',
  'from the address of the installation only. A client sends nothing.',
  '',
  `Changes of one owner and resource are gathered for ${COALESCE_MS} ms. Up to ${MAX_ENTITIES} of them come as \`items\`, presented as the level of the`,
  'listener may see them, or as `ids` when they are removed; more than that, and changes made in bulk, come as `{ groupId, count }`: who shows a list asks',
  `for it again. Nothing is repeated: after a gap, and when what may be seen has changed, \`${RESYNC}\` says that all has to be asked for again.`,
].join('\n');

/** AsyncAPI 3.0 of the events that sockets carry, of the same schemas as the calls. */
export function asyncapi(version: string, descriptions = new Descriptions()): object {
  const all = openapi(version, descriptions).components.schemas;
  const used = new Set<string>();
  /** With whatever it refers to. */
  const use = (schema: Schema): Schema => {
    for (const [, name] of JSON.stringify(schema).matchAll(/#\/components\/schemas\/(\w+)/g)) {
      if (used.has(name!)) continue;
      used.add(name!);
      use(all[name!]!);
    }
    return schema;
  };
  const messages: Record<string, object> = {};
  const message = (name: string, summary: string, bodies: Schema[]) => {
    for (const body of bodies) descriptions.schema(body, ['event']);
    const payload = use(bodies.length ? { anyOf: bodies } : { type: 'null' });
    const examples = bodies.map((body) => ({ payload: exampleOf(body, all) }));
    messages[name] = { name, summary, payload, ...(examples.length && { examples }) };
  };

  for (const [resource, entity] of Object.entries(ENTITIES)) {
    const { many } = NOUNS[resource]!;
    for (const change of CHANGES) {
      const body = change === 'removed' ? ids() : items(entity);
      message(`${resource}.${change}`, `These ${many} were ${change}.`, [body, count()]);
    }
  }
  for (const [name, summary] of Object.entries(READ_BY_PERSON))
    message(name, summary, [items(Notification), ...(name.endsWith('read') ? [count()] : [])]);
  message('contacts.importing', 'How far an import is: to the session that imports.', [progress()]);
  message(RESYNC, 'Events may have been lost: ask for everything that is shown again.', []);

  const channels = Object.fromEntries([
    ...Object.keys(ENTITIES).map((resource) => [resource, channelOf(resource, messages)]),
    ['notifications', channelOf('notifications', messages)],
    [RESYNC, channel(null, 'Every socket.', [RESYNC])],
  ]) as Record<string, ReturnType<typeof channel>>;
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Heliograph events',
      version,
      license: { name: 'MIT' },
      description: ABOUT,
    },
    defaultContentType: 'application/json',
    servers: {
      installation: {
        host: '{host}',
        pathname: '/socket.io/',
        protocol: 'wss',
        description: 'The installation itself; `ws` where it is reached without TLS.',
        variables: {
          host: { default: '127.0.0.1:3000', description: 'Host and port of the API.' },
        },
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

/** Who hears of a resource: who may list it, and whose list has the row. */
function channelOf(noun: string, messages: object) {
  const { find } = contract[noun as keyof typeof contract] as unknown as { find: Endpoint };
  const who =
    noun === 'notifications'
      ? 'The person who is told, in all of its sessions'
      : 'The account that the row belongs to, its reseller and its managers';
  const names = Object.keys(messages).filter((name) => name.startsWith(`${noun}.`));
  return channel(noun, `${who}, as far as they hold the permission \`${find.can}\`.`, names);
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
const progress = () =>
  object({
    ListId: { type: 'string', format: 'uuid' },
    key: { type: 'string', format: 'uuid' },
    done: { type: 'integer' },
    left: { type: 'integer' },
  });
const count = () =>
  object({ groupId: { type: ['string', 'null'], format: 'uuid' }, count: { type: 'integer' } });
