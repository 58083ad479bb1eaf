// The Model Context Protocol over stdin and stdout: programs of language models send, estimate and look things up.
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import {
  CallToolRequestSchema,
  ListToolsRequestSchema,
  type CallToolResult,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js';
import { ApiError, type Body, type Heliograph } from './index.ts';
import { Documentation } from './documentation.ts';

export interface McpOptions {
  version: string;
  /** Whether messages go to people: otherwise to test numbers only. */
  isLive: boolean;
}

/** Numbers that no person has: the simulated carrier answers for them, each with a fixed result: `+79990000004`. */
const TEST_NUMBER = /^\+?799900000\d\d$/;
const MAX_ROWS = 50;

type Values = Record<string, unknown>;
interface McpTool extends Tool {
  run: (values: Values) => Promise<unknown>;
}

/** A refusal that says what to do instead. */
class Refusal extends Error {}

const text = (description: string) => ({ type: 'string' as const, description });
const MESSAGE = {
  text: text('Text of the message.'),
  type: text('Channel: sms (default), viber, whatsapp, telegram, email and others.'),
  sender: text('Approved sender name. Needed by most channels.'),
};

/** Serves one client until its end of input. */
export async function serveMcp(helio: Heliograph, options: McpOptions): Promise<void> {
  const tools = toolsOf(helio, options);
  const server = new Server(
    { name: 'heliograph', version: options.version },
    { capabilities: { tools: {} } },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools.map(({ run: _, ...tool }) => tool),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const tool = tools.find(({ name }) => name === params.name);
    return tool
      ? resultOf(tool, params.arguments ?? {})
      : failed(`There is no tool ${params.name}.`);
  });
  const ended = new Promise<void>((resolve) => {
    server.onclose = resolve;
    process.stdin.once('end', () => void server.close());
  });
  await server.connect(new StdioServerTransport());
  await ended;
}

async function resultOf(tool: McpTool, values: Values): Promise<CallToolResult> {
  const unknown = Object.keys(values).filter((name) => !tool.inputSchema.properties?.[name]);
  const missing = (tool.inputSchema.required ?? []).filter((name) => values[name] === undefined);
  if (unknown.length || missing.length)
    return failed(
      [
        ...unknown.map((name) => `There is no argument ${name}.`),
        ...missing.map((name) => `The argument ${name} is missing.`),
      ].join(' '),
    );
  try {
    const value = await tool.run(values);
    return {
      content: [
        { type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value, null, 1) },
      ],
    };
  } catch (error) {
    if (error instanceof Refusal) return failed(error.message);
    if (!(error instanceof ApiError)) return failed((error as Error).message);
    const fields = error.fields.map(({ field, message }) => `${field}: ${message}`);
    return failed([`${error.code}: ${error.message}`, ...fields].join('\n'));
  }
}

const failed = (message: string): CallToolResult => ({
  isError: true,
  content: [{ type: 'text', text: message }],
});

function toolsOf(helio: Heliograph, { isLive }: McpOptions): McpTool[] {
  const documentation = new Documentation(helio.url);
  const bodyOf = (recipient: unknown, values: Values) => ({
    type: values.type ?? 'sms',
    recipient,
    payload: { text: values.text, ...(values.sender !== undefined && { sender: values.sender }) },
  });
  const whom = isLive
    ? 'Phone number in E.164, or an e-mail address.'
    : 'Test number from +79990000000 to +79990000099. Messages to people need a server that was started with --live.';
  return [
    {
      name: 'send_message',
      description: isLive
        ? 'Sends one message to a person and charges the account.'
        : 'Sends one message to a test number, whose result is fixed. It reaches nobody, and is charged as others are.',
      inputSchema: {
        type: 'object',
        properties: {
          recipient: text(whom),
          ...MESSAGE,
          sendAt: text('When it is sent, ISO 8601 with zone. It is charged now. Absent: at once.'),
          priority: text('high, normal (default) or low, among messages that wait.'),
          key: text('Idempotency key: the same key sends once.'),
        },
        required: ['recipient', 'text'],
      },
      annotations: { destructiveHint: isLive, openWorldHint: isLive },
      run: async (values) => {
        const recipient = String(values.recipient).trim();
        if (!isLive && !TEST_NUMBER.test(recipient))
          throw new Refusal(
            `${recipient} is no test number. Use +79990000000, or let a person start the server with --live.`,
          );
        const key = values.key === undefined ? {} : { idempotencyKey: String(values.key) };
        const { sendAt, priority } = values;
        const body = {
          ...bodyOf(recipient, values),
          ...(sendAt !== undefined && { sendAt }),
          ...(priority !== undefined && { priority }),
        };
        return helio.sendings.create(body as Body<'sendings.create'>, key);
      },
    },
    {
      name: 'cancel_message',
      description: isLive
        ? 'Cancels one message that is not sent yet, and refunds it.'
        : 'Cancels one message to a test number that is not sent yet, and refunds it.',
      inputSchema: {
        type: 'object',
        properties: { id: text('Id of the message.') },
        required: ['id'],
      },
      annotations: { destructiveHint: true },
      run: async ({ id }) => {
        if (!isLive) {
          const { recipient } = await helio.sendings.get(String(id));
          if (!TEST_NUMBER.test(recipient))
            throw new Refusal(
              `${recipient} is no test number. Let a person start the server with --live.`,
            );
        }
        return helio.sendings.cancel(String(id));
      },
    },
    {
      name: 'estimate',
      description:
        'Says how many segments and how much money messages take, and whom they would not reach. Sends nothing.',
      inputSchema: {
        type: 'object',
        properties: {
          recipients: {
            type: 'array',
            items: { type: 'string' },
            description: 'Phone numbers or e-mail addresses.',
          },
          ...MESSAGE,
        },
        required: ['recipients', 'text'],
      },
      annotations: { readOnlyHint: true },
      run: (values) =>
        helio.sendings.estimate(bodyOf(values.recipients, values) as Body<'sendings.estimate'>),
    },
    {
      name: 'get_message',
      description: 'State, price and history of one message.',
      inputSchema: {
        type: 'object',
        properties: { id: text('Id of the message.') },
        required: ['id'],
      },
      annotations: { readOnlyHint: true },
      run: ({ id }) => helio.sendings.get(String(id)),
    },
    {
      name: 'get_bulk',
      description: 'State and counters of a bulk sending.',
      inputSchema: {
        type: 'object',
        properties: { id: text('Id of the bulk.') },
        required: ['id'],
      },
      annotations: { readOnlyHint: true },
      run: ({ id }) => helio.tasks.get(String(id)),
    },
    {
      name: 'find_messages',
      description: `The latest messages, newest first, ${MAX_ROWS} at most.`,
      inputSchema: {
        type: 'object',
        properties: {
          status: text('pending, processing, sent, delivered, seen, failed or cancelled.'),
          recipient: text('Phone number or e-mail address.'),
          from: text('Time from which on, ISO 8601.'),
          limit: { type: 'integer', minimum: 1, maximum: MAX_ROWS },
        },
      },
      annotations: { readOnlyHint: true },
      run: async ({ status, recipient, from, limit }) => {
        const query = {
          $limit: Math.min(Number(limit ?? 20), MAX_ROWS),
          ...(status !== undefined && { status: [status] }),
          ...(recipient !== undefined && { recipient }),
          ...(from !== undefined && { createdAt: { $gt: from } }),
        };
        const { data, total } = await helio.sendings.find(query as never);
        return { total, messages: data };
      },
    },
    {
      name: 'get_balance',
      description: 'The balance of the account and what it may overdraw.',
      inputSchema: { type: 'object', properties: {} },
      annotations: { readOnlyHint: true },
      run: async () => {
        const { OwnerId } = await helio.users.me();
        return helio.billings.balance(OwnerId);
      },
    },
    {
      name: 'search_documentation',
      description: 'Finds sections of the documentation of this installation by words.',
      inputSchema: {
        type: 'object',
        properties: {
          query: text('Words to look for.'),
          language: text('en (default), ru or es.'),
        },
        required: ['query'],
      },
      annotations: { readOnlyHint: true },
      run: ({ query, language = 'en' }) => documentation.search(String(query), String(language)),
    },
    {
      name: 'read_documentation',
      description: 'A page of the documentation as Markdown.',
      inputSchema: {
        type: 'object',
        properties: {
          page: text('Page, as search_documentation names it: api/webhooks.'),
          language: text('en (default), ru or es.'),
        },
        required: ['page'],
      },
      annotations: { readOnlyHint: true },
      run: ({ page, language = 'en' }) => documentation.page(String(page), String(language)),
    },
  ];
}
