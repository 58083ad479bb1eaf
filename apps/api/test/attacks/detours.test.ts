import {
  automations,
  contactLists,
  EFFECTS,
  inboundRules,
  signupForms,
  integrations,
  otpChannels,
  otpHandler,
  otpTemplates,
  otpWidgets,
  recurringSendings,
  REPORT_PRESETS,
  reports,
  reportSchedules,
  segments,
  sendings,
  sendingsIncoming,
  settings,
  settingsUser,
  suppressions,
  tasks,
  templates,
  TOKEN_PERMISSIONS,
  tokens,
  webhooks,
  type Endpoint,
  type Permission,
} from '@heliograph/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Outbox } from '../../src/core/outbox.ts';
import { InboundRoutingService } from '../../src/features/inbound-rules/inbound-routing.service.ts';
import { RecurringScheduler } from '../../src/features/recurring-sendings/recurring-scheduler.ts';
import { ReportScheduler } from '../../src/features/reports/report-scheduler.ts';
import { ExpandService } from '../../src/features/sendings/audience/expand.service.ts';
import { ReplySenderService } from '../../src/features/sendings/intake/reply-sender.service.ts';
import { RepliesService } from '../../src/features/sendings/reports/replies.service.ts';
import { TasksService } from '../../src/features/tasks/tasks.service.ts';
import { DeliveryService } from '../../src/features/webhooks/delivery.service.ts';
import { approve } from '../factories.ts';
import { otpChannel } from '../otp.ts';
import { WebhookReceiver } from '../webhook-receiver.ts';
import { World, type Person } from '../world.ts';

let world: World;
let owner: Person;
let receiver: WebhookReceiver;
let ListId: string;
let WebhookId: string;
let ChannelId: string;
let TemplateId: string;
let SegmentId: string;
let MessageTemplateId: string;
let n = 0;

beforeAll(async () => {
  world = await World.start({ SENDERNAMES_CHECK: 'none', QUOTA_TOKENS: '1000', QUOTA_OTP: '1000' });
  // A manager, so that it may make reports of all presets.
  owner = await world.person({ balance: 100_000, level: 'manager' });
  receiver = await new WebhookReceiver().start();
  await approve(world, owner.id);
  const list = { title: 'Guests', type: 'regular' } as const;
  ListId = (await owner.api(contactLists.create, { body: list })).id;
  const hook = { title: 'Own', url: receiver.base, event: 'inboundRules.matched' } as const;
  WebhookId = (await owner.api(webhooks.create, { body: hook })).id;
  ChannelId = await otpChannel(owner, 'sms');
  SegmentId = (await owner.api(segments.create, { body: { title: 'Guests' } })).id;
  const template = {
    title: 'Tea',
    type: 'viber',
    payload: { sender: 'TEA', text: 'Tea' },
  } as const;
  MessageTemplateId = (await owner.api(templates.create, { body: template })).id;
  TemplateId = (await owner.api(otpTemplates.create, { body: TEMPLATE })).id;
});
afterAll(async () => {
  receiver.stop();
  await world.stop();
});

const service = <T>(of: abstract new (...args: never[]) => T): T =>
  world.api.get<T>(of as never, { strict: false });
const phone = () => `+7916200${String(++n).padStart(4, '0')}`;

async function tokenWith(permissions: readonly Permission[]) {
  const body = { description: 'Thief', permissions: [...permissions] };
  const { id, token } = await owner.api(tokens.create, { body });
  return { id, api: world.client(token) };
}
const without = (missing: Permission) => TOKEN_PERMISSIONS.filter((name) => name !== missing);
let held: Permission[];
beforeAll(async () => {
  const all = await owner.api(tokens.create, { body: { description: 'All' } });
  const { permissions } = await world.client(all.token)(settings.get, {});
  held = Object.keys(permissions) as Permission[];
});
const having = (permissions: readonly Permission[]) =>
  permissions.filter((name) => held.includes(name));

type Call = [endpoint: Endpoint, request: Record<string, unknown>];
/** A call of a token that configures an effect, and one that changes what its account has configured. */
interface Attempt {
  create: Call;
  change: () => Promise<Call[]>;
}
const call = (api: Person['api'], [endpoint, request]: Call) => api(endpoint, request as never);
const refused = (permission: Permission) => ({
  status: 403,
  body: { code: 'forbidden', payload: { permission } },
});

const TEMPLATE = {
  name: 'Code',
  channelType: 'sms' as const,
  additionalSettings: { senderId: 'TEA', template: 'Your code: {code}' },
};
const CONFIRMED = {
  stopWords: ['stop'],
  startWords: ['start'],
  covers: 'all' as const,
  isConfirmed: true,
  stopText: 'Bought',
  startText: 'Bought',
  type: null,
  sender: null,
};
const widget = { name: 'Shop', captchaIsRequired: false };
const at = (seconds: number) =>
  new Date(world.clock.now().getTime() + seconds * 1000).toISOString();
const idOf = async (request: Call) => ((await call(owner.api, request)) as { id: string }).id;

const WAIT = { do: 'wait', amount: 1, unit: 'hours' };
const TRIGGERS: Record<string, () => object> = {
  listed: () => ({ when: 'listed', ListId }),
  segment: () => ({ when: 'segment', SegmentId }),
  date: () => ({ when: 'date', field: 'date', time: '09:00' }),
  silence: () => ({ when: 'silence', days: 1 }),
  keyword: () => ({ when: 'keyword', keywords: ['thief'] }),
};
const STEPS: Record<string, () => object> = {
  message: () => ({ do: 'message', type: 'viber', sender: 'TEA', text: 'Bought' }),
  template: () => ({ do: 'template', TemplateId: MessageTemplateId }),
  tag: () => ({ do: 'tag', add: ['bought'] }),
  stop: () => ({ do: 'stop', if: 'replied' }),
};

/** How each kind of effect is configured; which effects there are is in the table. */
const ATTEMPTS: Record<
  Exclude<keyof typeof EFFECTS, 'incoming' | 'integration'>,
  (effect: string) => Attempt
> = {
  webhook: (event) => {
    const create: Call = [webhooks.create, { body: { title: event, event, url: receiver.base } }];
    return {
      create,
      change: async () => {
        const params = { id: await idOf(create) };
        return [
          [webhooks.update, { params, body: { url: `${receiver.base}/thief` } }],
          [webhooks.update, { params, body: { state: 'active' } }],
          [
            settingsUser.update,
            {
              params: { accountId: owner.id, key: `webhooks.${event}` },
              body: { value: { url: `${receiver.base}/thief` } },
            },
          ],
          [webhooks.rotate, { params, body: {} }],
          [webhooks.replay, { params, body: { from: at(-60) } }],
          [webhooks.delivery, { params: { ...params, deliveryId: params.id } }],
        ];
      },
    };
  },
  inboundRule: (effect) => {
    const [action, listChange = 'add'] = effect.split('.') as [string, string?];
    const body = {
      title: effect,
      mode: 'equals',
      keywords: [effect],
      actions: [action],
      listChange,
      ...(action === 'list' && { ListId }),
      ...(action === 'webhook' && { WebhookId }),
      ...(action === 'reply' && { replyText: 'Bought' }),
    };
    return {
      create: [inboundRules.create, { body }],
      change: async () => {
        const other = { ...body, actions: ['task'], isActive: false };
        const params = { id: await idOf([inboundRules.create, { body: other }]) };
        const quiet = await idOf([inboundRules.create, { body: { ...body, isActive: false } }]);
        const { data } = await owner.api(inboundRules.find, { query: { limit: 100 } });
        const backwards = data.toSorted((a, b) => b.position - a.position);
        return [
          [inboundRules.update, { params, body }],
          [inboundRules.update, { params: { id: quiet }, body: { keywords: ['thief'] } }],
          [inboundRules.reorder, { body: { ids: backwards.map((rule) => rule.id) } }],
        ];
      },
    };
  },
  optOuts: () => {
    const create: Call = [suppressions.configure, { body: CONFIRMED }];
    return { create, change: () => Promise.resolve([create]) };
  },
  widget: () => ({
    create: [otpWidgets.create, { body: widget }],
    change: async () => {
      const params = { id: await idOf([otpWidgets.create, { body: widget }]) };
      const otpWidgetChannelSettings = [{ otpChannelSettingsId: ChannelId, priority: 1 }];
      return [
        [otpWidgets.update, { params, body: { isActive: true } }],
        [otpWidgets.setChannels, { params, body: { otpWidgetChannelSettings } }],
        [otpWidgets.unblockPrefix, { params: { prefix: '+790012' } }],
      ];
    },
  }),
  signupForm: () => {
    const signup = {
      title: 'Tea club',
      ListId,
      type: 'email' as const,
      sender: 'tea@example.com',
      text: 'Confirm: {link}',
      consent: 'I agree.',
    };
    const create: Call = [signupForms.create, { body: signup }];
    return {
      create,
      change: async () => {
        const params = { id: await idOf(create) };
        return [create, [signupForms.update, { params, body: { isActive: true } }]];
      },
    };
  },
  otpSettings: () => ({
    create: [otpTemplates.create, { body: TEMPLATE }],
    change: () =>
      Promise.resolve([
        [otpTemplates.update, { params: { id: TemplateId }, body: { name: 'Bought' } }],
        [otpChannels.create, { body: { name: 'Thief', channelType: 'sms' } }],
        [otpChannels.update, { params: { id: ChannelId }, body: { name: 'Thief' } }],
      ]),
  }),
  report: (preset) => {
    const body = { preset, frequency: 'daily', hour: 9, timeZone: 'UTC', format: 'csv' };
    const report = { preset, format: 'csv', where: {} };
    return {
      create: [reportSchedules.create, { body }],
      change: async () => {
        const id = await idOf([reportSchedules.create, { body }]);
        await world.db.query(`delete from report_schedules where id <> $1`, [id]);
        return [
          [reportSchedules.update, { params: { id }, body: { hour: 10 } }],
          [reports.create, { body: report }],
        ];
      },
    };
  },
  recurringSending: () => {
    const body = {
      title: 'Tea',
      type: 'viber',
      recipient: { include: [ListId] },
      payload: { sender: 'TEA', text: 'Tea' },
      frequency: 'daily',
      time: '09:00',
      timeZone: 'UTC',
    };
    const create: Call = [recurringSendings.create, { body }];
    return {
      create,
      change: async () => {
        const params = { id: await idOf(create) };
        const paused = {
          id: await idOf([recurringSendings.create, { body: { ...body, isActive: false } }]),
        };
        return [
          [recurringSendings.update, { params, body: { time: '10:00' } }],
          [
            recurringSendings.update,
            { params, body: { recipient: { include: [ListId] }, title: 'Thief' } },
          ],
          [recurringSendings.update, { params: paused, body: { isActive: true } }],
        ];
      },
    };
  },
  automation: (effect) => {
    const trigger = TRIGGERS[effect]?.() ?? { when: 'keyword', keywords: ['thief'] };
    const step = STEPS[effect]?.() ?? { do: 'wait', amount: 1, unit: 'hours' };
    const body = { title: effect, timeZone: 'UTC', trigger, steps: [step] };
    const create: Call = [automations.create, { body }];
    return {
      create,
      change: async () => {
        const params = { id: await idOf(create) };
        const other = { ...body, trigger: TRIGGERS.keyword!(), steps: [WAIT] };
        const harmless = { id: await idOf([automations.create, { body: other }]) };
        return [
          [automations.update, { params, body: { title: 'Thief' } }],
          [automations.update, { params, body: { isActive: true } }],
          [automations.update, { params, body: { trigger: TRIGGERS.silence!(), steps: [WAIT] } }],
          [automations.update, { params: harmless, body: { trigger, steps: [step] } }],
        ];
      },
    };
  },
  task: () => {
    const body = {
      type: 'viber',
      recipient: [phone(), phone()],
      payload: { sender: 'TEA', text: 'Tea' },
    };
    const create: Call = [sendings.create, { body: { ...body, schedule: { delay: at(86_400) } } }];
    return {
      create,
      change: async () => {
        const id = await idOf(create);
        await owner.api(tasks.update, { params: { id }, body: { state: 'paused' } });
        return [[tasks.update, { params: { id }, body: { state: 'scheduled' } }]];
      },
    };
  },
};

const CASES = Object.entries(ATTEMPTS).flatMap(([kind, attempt]) =>
  Object.entries(EFFECTS[kind as keyof typeof ATTEMPTS]).flatMap(
    ([effect, needs]: [string, readonly Permission[]]) =>
      needs.map((missing) => [kind, effect, missing, attempt] as const),
  ),
);

test.each(CASES)('%s %s is not configured without %s', async (_, effect, missing, attempt) => {
  const thief = await tokenWith(having(without(missing)));
  const { create, change } = attempt(effect);
  for (const one of [create, ...(await change())])
    await expect(call(thief.api, one), one[0].path).rejects.toMatchObject(refused(missing));
});

test('integrations are configured in sessions only, by who may send', async () => {
  const body = { kind: 'crm', title: 'x', sender: 'TEA', recipient: 'phone', text: 'Tea' };
  const thief = await tokenWith(having(TOKEN_PERMISSIONS));
  const create: Call = [integrations.create, { body }];
  await expect(call(thief.api, create)).rejects.toMatchObject({
    body: { code: 'session_required' },
  });
  for (const missing of EFFECTS.integration.message) {
    const limited = await world.person({ grants: { remove: [missing] } });
    await expect(call(limited.api, create)).rejects.toMatchObject(refused(missing));
  }
});

/** Takes permissions from a token, or the token itself. */
const LOSSES = {
  'without the permission': (id: string, missing: Permission) =>
    owner.api(tokens.update, { params: { id }, body: { permissions: having(without(missing)) } }),
  removed: (id: string) => owner.api(tokens.remove, { params: { id } }),
  expired: (id: string) =>
    world.db.query(`update tokens set expired_at = now() - interval '1 day' where id = $1`, [id]),
};

describe.each(Object.entries(LOSSES))('the token is %s:', (_, lose) => {
  const configured = async (create: Call, missing: Permission) => {
    const token = await tokenWith(having(TOKEN_PERMISSIONS));
    const { id } = (await call(token.api, create)) as { id: string };
    await lose(token.id, missing);
    return id;
  };

  test.each(Object.entries(EFFECTS.webhook))(
    'its webhook of %s is called no more',
    async (event, needs) => {
      await world.db.query(`delete from webhooks where id <> $1`, [WebhookId]);
      const id = await configured(ATTEMPTS.webhook(event).create, needs[0]!);
      receiver.take();
      const key = id;
      await service(Outbox).add(event as never, [{ OwnerId: owner.id, key, data: { id } }]);
      await service(DeliveryService).deliver();
      await service(DeliveryService).idle();
      expect(receiver.take().filter(({ body }) => body.includes(key))).toEqual([]);
      const row = await owner.api(webhooks.get, { params: { id } });
      expect(row).toMatchObject({ state: 'disabled', reason: 'forbidden' });
      await owner.api(webhooks.remove, { params: { id } });
    },
  );

  test.each(Object.entries(EFFECTS.inboundRule))(
    'its rule does nothing: %s',
    async (effect, needs) => {
      await world.db.query(`delete from inbound_rules`);
      const id = await configured(ATTEMPTS.inboundRule(effect).create, needs[0]!);
      const origin = { OwnerId: owner.id, channel: 'simulator', webhookId: id };
      const message = { type: 'sms', from: phone(), to: 'TEA', payload: { text: effect } } as const;
      await service(RepliesService).receive(message, origin);
      while (await service(InboundRoutingService).route());
      const rule = await owner.api(inboundRules.get, { params: { id } });
      expect(rule).toMatchObject({ matched: 1, held: { forbidden: 1 } });
      const replies = await world.db.query(`select 1 from auto_replies where rule_id = $1`, [id]);
      expect(replies).toEqual([]);
    },
  );

  test('its widget sends no codes', async () => {
    const id = await configured(ATTEMPTS.widget('code').create, EFFECTS.widget.code[0]);
    const request = { body: { widgetId: id, recipient: phone() } };
    await expect(world.client()(otpHandler.create, request)).rejects.toMatchObject({ status: 403 });
    expect(await owner.api(otpWidgets.get, { params: { id } })).toMatchObject({ isActive: false });
  });

  test('its sign-up form sends no messages', async () => {
    const create = ATTEMPTS.signupForm('message').create;
    const id = await configured(create, EFFECTS.signupForm.message[0]);
    const body = new URLSearchParams({ consent: 'yes', address: 'thief@example.com' });
    const answer = await fetch(`${world.base}/f/${id}`, { method: 'POST', body });
    expect(answer.status).toBe(404);
    expect(await owner.api(signupForms.get, { params: { id } })).toMatchObject({ isActive: false });
  });

  test.each(['sendings.byDay', 'billings.byDay'] as const)(
    'its schedule of %s stops',
    async (preset) => {
      await world.db.query(`delete from report_schedules`);
      const id = await configured(ATTEMPTS.report(preset).create, REPORT_PRESETS[preset].can);
      await world.db.query(
        `update report_schedules set next_run_at = now() - interval '1 hour' where id = $1`,
        [id],
      );
      await service(ReportScheduler).requestDue();
      const schedule = await owner.api(reportSchedules.get, { params: { id } });
      expect(schedule).toMatchObject({ isActive: false, reason: 'forbidden', lastRunAt: null });
    },
  );

  test('its recurring sending stops', async () => {
    await world.db.query(`delete from recurring_sendings`);
    const { create } = ATTEMPTS.recurringSending('messages');
    const id = await configured(create, EFFECTS.recurringSending.messages[0]);
    await world.db.query(
      `update recurring_sendings set next_run_at = now() - interval '1 hour', attempt_at = now() - interval '1 hour' where id = $1`,
      [id],
    );
    await service(RecurringScheduler).runDue();
    const row = await owner.api(recurringSendings.get, { params: { id } });
    expect(row).toMatchObject({
      isActive: false,
      reason: 'forbidden',
      runs: 0,
      lastRun: { code: 'forbidden', TaskId: null },
    });
  });

  test('what it has worded is not sent to people who opt out, until a person words it', async () => {
    const { create } = ATTEMPTS.optOuts('confirmation');
    const confirmed = async () => {
      const from = phone();
      const body = { type: 'sms' as const, from, to: 'TEA', payload: { text: 'STOP' } };
      await owner.api(sendingsIncoming.create, { body });
      const rows = await world.db.query(`select 1 from auto_replies where address = $1`, [from]);
      return rows.length > 0;
    };
    await world.db.query(`delete from opt_out_settings where owner_id = $1`, [owner.id]);
    const token = await tokenWith(having(TOKEN_PERMISSIONS));
    await call(token.api, create);
    expect(await confirmed()).toBe(true);
    await lose(token.id, EFFECTS.optOuts.confirmation[0]);
    expect(await confirmed()).toBe(false);
    // Another token that leaves the words as they are takes nothing over.
    await call((await tokenWith(having(TOKEN_PERMISSIONS))).api, create);
    expect(await confirmed()).toBe(false);
    await call(owner.api, create);
    expect(await confirmed()).toBe(true);
  });

  test('its bulk pauses before it sends', async () => {
    const id = await configured(ATTEMPTS.task('messages').create, EFFECTS.task.messages[0]);
    await service(TasksService).start(id);
    await service(ExpandService).expand({ taskId: id });
    const task = await owner.api(tasks.get, { params: { id } });
    const sent = await world.db.query(`select 1 from sendings where group_id = $1`, [id]);
    expect(sent).toEqual([]);
    expect(task).toMatchObject({ state: 'paused', reason: 'token_ended' });
  });
});

describe('a message that a token adds', () => {
  const add = (api: Person['api'], text: string, from = phone()) =>
    api(sendingsIncoming.create, { body: { type: 'sms', from, to: 'TEA', payload: { text } } });
  const optedOut = async (address: string) =>
    (await world.db.query(`select 1 from suppressions where address = $1`, [address])).length;

  test('opts nobody out, or in, without the permission', async () => {
    const from = phone();
    const [stopper, starter] = [
      await tokenWith(having(without('suppressions.create'))),
      await tokenWith(having(without('suppressions.remove'))),
    ];
    await expect(add(stopper.api, 'STOP', from)).rejects.toMatchObject(
      refused('suppressions.create'),
    );
    expect(await optedOut(from)).toBe(0);
    await add(starter.api, 'STOP', from);
    expect(await optedOut(from)).toBe(1);
    await expect(add(starter.api, 'START', from)).rejects.toMatchObject(
      refused('suppressions.remove'),
    );
    expect(await optedOut(from)).toBe(1);
  });

  test('is confirmed to a phone only if the token may send', async () => {
    await owner.api(suppressions.configure, { body: CONFIRMED });
    const [mute, speaking] = [phone(), phone()];
    const thief = await tokenWith(having(without(EFFECTS.incoming.confirmation[0])));
    await add(thief.api, 'STOP', mute);
    await add(owner.api, 'STOP', speaking);
    const rows = await world.db.query(`select address from auto_replies where address = any($1)`, [
      [mute, speaking],
    ]);
    expect(rows).toEqual([{ address: speaking }]);
  });

  test.each(Object.entries(EFFECTS.inboundRule))(
    'has a rule do only what the token may: %s',
    async (effect, needs) => {
      for (const missing of needs as readonly Permission[]) {
        await world.db.query(`delete from inbound_rules`);
        const { id } = (await call(owner.api, ATTEMPTS.inboundRule(effect).create)) as {
          id: string;
        };
        const thief = await tokenWith(having(without(missing)));
        await add(thief.api, effect);
        while (await service(InboundRoutingService).route());
        const rule = await owner.api(inboundRules.get, { params: { id } });
        expect(rule).toMatchObject({ matched: 1, held: { forbidden: 1 } });
      }
    },
  );

  test('and its reply count for the token', async () => {
    await world.db.query(`delete from inbound_rules`);
    await call(owner.api, ATTEMPTS.inboundRule('reply').create);
    const token = await tokenWith(having(TOKEN_PERMISSIONS));
    const from = phone();
    await add(token.api, 'reply', from);
    while (await service(InboundRoutingService).route());
    while (await service(ReplySenderService).send());
    const rows = await world.db.query(
      `select b.token_id as id from billings b join sendings s on s.id = b.id where s.phone = $1`,
      [from],
    );
    expect(rows).toEqual([{ id: token.id }]);
  });
});
