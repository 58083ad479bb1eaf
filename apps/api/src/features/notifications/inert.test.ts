import { notifications, systemMessages } from '@heliograph/contract';
import {
  isWritten,
  NOTIFICATION_TYPES,
  notificationText,
  parseRichText,
  type NotificationType,
} from '@heliograph/domain';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SmtpSink } from '../../../../../scripts/lib/smtp-sink.mjs';
import { Notifications } from '../../core/notifications.ts';
import { BroadcastsService } from '../system-messages/broadcasts.service.ts';
import { deliver, poll, serviceOf } from '../../../test/notified.ts';
import { TelegramPeer } from '../../../test/peers/telegram-peer.ts';
import { World, type Person } from '../../../test/world.ts';

/** Markup and scripts in every text of every notification are inert in the cabinet, in e-mails and in chats. */

const CHAT = 77;
const ATTACK =
  `<script>alert(1)</script><img src=x onerror=alert(1)>"'><a href="javascript:alert(1)">x</a>` +
  `</p></title>{{username}} {reason}&lt;b&gt;\r\nBcc: thief@tea.example`;
const CHANNELS = ['web', 'telegram', 'email'];
/** Tags of the layout of an e-mail. */
const EMAIL_TAGS = /<(?!\/?(?:html|head|meta|title|body|p|a|br)\b|!doctype html>)/gi;

const sink = new SmtpSink();
const peer = new TelegramPeer();
let world: World;
let person: Person;

beforeAll(async () => {
  await peer.start();
  world = await World.start({
    ...peer.env(),
    MAIL_TRANSPORT: 'smtp',
    SMTP_URL: await sink.open(),
    MAIL_FROM: 'news@heliograph.example',
    PUBLIC_URL: 'https://cabinet.example',
  });
  person = await world.person();
  await world.db.query(
    `update users set data = '{"email":"anna@tea.example"}', email_confirmed_at = now() where id = $1`,
    [person.id],
  );
  await poll(world);
  peer.sandbox.write(CHAT, 'hello');
  await poll(world);
  await world.db.query(
    `insert into telegram_chats (user_id, chat_id, name) values ($1, $2, 'Anna')`,
    [person.id, CHAT],
  );
  await world.db.query(
    `insert into notification_settings (user_id, type, channels) select $1, type, $3 from unnest($2::text[]) type`,
    [person.id, NOTIFICATION_TYPES, CHANNELS],
  );
});
afterAll(async () => {
  await world.stop();
  sink.close();
  peer.stop();
});

/** The variables of a type, each with the attack. */
function attackOn(type: NotificationType): Record<string, string> {
  const names = new Set<string>(['title', 'reason', 'id']);
  const seen = new Proxy({}, { get: (_, name) => (names.add(String(name)), 'x') });
  notificationText(type, seen);
  return Object.fromEntries([...names].map((name) => [name, ATTACK]));
}

/** Renders, or refuses to open, nothing but text and the given tags. */
function expectInert(html: string): void {
  expect(html).not.toMatch(/<script|<img|onerror=[^&]*>|href="javascript|<\/title>.*<\/title>/is);
}

test('in every type, on every channel', async () => {
  const service = serviceOf(world.api, Notifications);
  for (const type of NOTIFICATION_TYPES) {
    sink.emails.length = 0;
    const before = peer.textsOf(CHAT).length;
    await service.notify(person.id, type, attackOn(type), person.id);
    await deliver(world);

    const [message] = peer.textsOf(CHAT).slice(before);
    // The peer refuses HTML that Telegram would not take.
    expect(message, type).toBeDefined();
    expectInert(message!);
    expect(
      message!.replace(/<\/?b>|<a href="https:\/\/cabinet\.example[^"<>]*">|<\/a>/g, ''),
    ).not.toMatch(isWritten(type) ? /<(?!\/?(?:b|i|u|s|code|pre)>)/ : /</);

    expect(sink.emails, type).toHaveLength(1);
    const email = sink.emails[0]!;
    expect(email.to).toEqual(['anna@tea.example']);
    expect(email.subject).not.toMatch(/[\r\n]/);
    expectInert(email.html);
    expect(email.html.match(EMAIL_TAGS), type).toBeNull();
    expect(email.html.match(/href="(?!https:\/\/cabinet\.example)/), type).toBeNull();

    const { data } = await person.api(notifications.find, {
      query: { filter: { channel: 'web', type: [type] } },
    });
    // Elements of the cabinet are made of these nodes alone: other texts have none.
    const nodes = isWritten(type) ? parseRichText(String(data[0]!.data.text)) : [];
    expect(JSON.stringify(nodes)).not.toMatch(/javascript:|"tag":"(?!b|i|u|s|code|pre|a|p|li)/);
  }
});

test('in a system message of a manager', async () => {
  const manager = await world.person({ level: 'manager', grants: { add: ['users.all'] } });
  const audience = { to: 'accounts' as const, accounts: [person.id] };
  const text = `${ATTACK}<b>bold</b><a href="https://tea.example/?a=1&b=2">link</a>`;
  await manager.api(systemMessages.create, {
    body: {
      type: 'SystemRouteIssues',
      title: ATTACK.slice(0, 90),
      text,
      operator: '<i>x</i>',
      audience,
    },
  });
  sink.emails.length = 0;
  const broadcasts = serviceOf(world.api, BroadcastsService);
  while (await broadcasts.run());
  await deliver(world);
  const message = peer.textsOf(CHAT).at(-1)!;
  expectInert(message);
  expect(message).toContain('<b>bold</b><a href="https://tea.example/?a=1&amp;b=2">link</a>');
  expect(message).toContain('&lt;i&gt;x&lt;/i&gt;');
  expectInert(sink.emails[0]!.html);
  expect(sink.emails[0]!.html.match(EMAIL_TAGS)).toBeNull();
});

test('a text of any length is a message that Telegram takes', async () => {
  const service = serviceOf(world.api, Notifications);
  for (const value of [
    '<'.repeat(20_000),
    '&"'.repeat(9000),
    '😀'.repeat(5000),
    '\n'.repeat(9000),
  ]) {
    const before = peer.textsOf(CHAT).length;
    await service.notify(
      person.id,
      'SendingsBulkPaused',
      { title: value, reason: value },
      person.id,
    );
    await service.notify(
      person.id,
      'SystemPlatformIssues',
      { title: value, text: `<b>${value}` },
      person.id,
    );
    await deliver(world);
    const sent = peer.textsOf(CHAT).slice(before);
    expect(sent).toHaveLength(2);
    for (const message of sent) expect(message.length).toBeLessThanOrEqual(4096);
  }
});
