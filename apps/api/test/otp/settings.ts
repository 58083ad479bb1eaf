import { otpChannels, otpTemplates, otpWidgets, persons, sendings } from '@heliograph/contract';
import { OTP_CHANNEL_TYPES } from '@heliograph/domain';
import { expect, test } from 'vitest';
import { verifyOtp } from '../../src/features/otp/verify.store.ts';
import { approve } from '../factories.ts';
import { otpChannel, otpSession, otpStatus, otpText, otpWidget } from '../otp.ts';
import { fieldsOf, raw } from '../raw.ts';
import { type Person, until, type World } from '../world.ts';
import { refusal, type OtpScene } from './scene.ts';

/** What the settings of an account mean for its sessions. */
export function settingTests(scene: OtpScene): void {
  const { newPhone, sql } = scene;
  let world: World;
  let owner: Person;
  let phone: string;
  scene.beforeEach((given) => ({ world, owner, phone } = given));

  test('every channel has a sender that an account with checked sender names may use', async () => {
    const customer = await world.person();
    await approve(world, customer.id);
    await sql(`update users set settings = jsonb_set(settings, '{sendings}', $2) where id = $1`, [
      customer.id,
      { sendernamesCheck: OTP_CHANNEL_TYPES },
    ]);
    const widgetId = await otpWidget(customer, [...OTP_CHANNEL_TYPES]);
    const id = await otpSession(world, widgetId, phone);
    const [session] = await sql<{ steps: { type: string; sender: string }[] }>(
      `select steps from otp_sessions where id = $1`,
      [id],
    );
    // The name of a call is a phone, that of a push the client id: neither is approved here.
    const others = OTP_CHANNEL_TYPES.filter((type) => type !== 'voice' && type !== 'sim_push');
    const senders = session!.steps.map(({ type, sender }) => [type, sender]);
    expect(senders).toEqual(others.map((type) => [type, 'MIRTEA']));
  });

  test('texts and senders come from the template whose conditions hold', async () => {
    const template = (name: string, conditions: object[], senderId: string) =>
      owner.api(otpTemplates.create, {
        body: {
          name,
          channelType: 'vk',
          conditions: conditions as never,
          additionalSettings: { senderId, template: `${name} {code}.` },
        },
      });
    await template('Any', [], 'TEA');
    await template('Russia', [{ tag: 'country', value: ['RU'] }], 'TEA-RU');
    await template('Georgia', [{ tag: 'country', value: ['GE'] }], 'TEA-GE');
    const widgetId = await otpWidget(owner, ['vk']);
    await otpSession(world, widgetId, phone);
    const { data } = await owner.api(sendings.find, { query: { filter: { recipient: phone } } });
    expect(data[0]).toMatchObject({ payload: { sender: 'TEA-RU', text: 'Russia ****.' } });
  });

  test('hosts of any spelling reach phones as browsers name them, from the template to the confirmation', async () => {
    const someone = await world.person();
    const ascii = 'xn--80as4b.xn--p1ai';
    const written: [string, string][] = [
      ['@чай.рф #{code}', `@${ascii} #`],
      ['@Чай.РФ. #{code}', `@${ascii} #`],
      ['@XN--80AS4B.xn--p1ai:8443 #{code}', `@${ascii} #`],
      [
        '@shop.example #{code} %Чай.рф:443 @bücher.example.',
        `@shop.example # %${ascii} @xn--bcher-kva.example`,
      ],
    ];
    for (const [line, expected] of written) {
      const widgetId = await otpWidget(someone, ['whatsapp']);
      await someone.api(otpTemplates.create, {
        body: {
          name: line,
          channelType: 'whatsapp',
          conditions: [{ tag: 'widget', value: [widgetId] }],
          additionalSettings: { senderId: 'TEA', template: `Код: {code}\n${line}` },
        },
      });
      const id = await otpSession(world, widgetId, newPhone());
      await otpStatus(world, id, 'sent');
      const text = await otpText(world, id);
      const [, code] = /^Код: (\d{4})\n/.exec(text!)!;
      expect(text!.split('\n').at(-1)).toBe(expected.replace('#', `#${code}`));
      // The page of the widget, by the name that its browser sends.
      const answer = await fetch(`${world.base}/api/n/otp-handler/${id}/checkCode`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: `https://${ascii}` },
        body: JSON.stringify({ code }),
      });
      expect(answer.status).toBe(201);
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    }
  });

  test('a template names a sender name of its account, or a sender', async () => {
    const other = await world.person();
    const template = (senderId: string) => ({
      name: 'Code',
      channelType: 'sms',
      additionalSettings: { senderId, template: '{code}' },
    });
    const path = '/n/otp-settings/templates';
    const body = { name: 'TEAROOM', type: 'sms', meta: { comment: 'Tea, 7707083893' } };
    const { id: name } = (await raw(world, other, 'POST', '/sendernames', body)).json;
    const field = ['additionalSettings.senderId'];
    expect(fieldsOf(await raw(world, owner, 'POST', path, template(name)))).toEqual(field);
    const { id } = (await raw(world, owner, 'POST', path, template('TEA'))).json;
    const { additionalSettings } = template(name);
    expect(
      fieldsOf(await raw(world, owner, 'PUT', `${path}/${id}`, { additionalSettings })),
    ).toEqual(field);
    expect((await raw(world, other, 'POST', path, template(name))).status).toBe(201);
  });

  test.each(['channels', 'templates'])(
    'a change of %s can name the type of the row, and no other',
    async (kind) => {
      const body = {
        name: 'Code',
        channelType: 'sms',
        ...(kind === 'templates' && {
          additionalSettings: { senderId: 'TEA', template: '{code}' },
        }),
      };
      const path = `/n/otp-settings/${kind}`;
      const { id } = (await raw(world, owner, 'POST', path, body)).json;
      const put = (change: object) => raw(world, owner, 'PUT', `${path}/${id}`, change);
      const kept = await put({ name: 'Codes', channelType: 'sms' });
      expect(kept).toMatchObject({ status: 200, json: { name: 'Codes', channelType: 'sms' } });
      expect(fieldsOf(await put({ name: 'Calls', channelType: 'voice' }))).toEqual(['channelType']);
      expect(fieldsOf(await put({ ...kept.json, channelType: 'voice' }))).toEqual(['channelType']);
      expect((await raw(world, owner, 'GET', `${path}/${id}`)).json).toEqual(kept.json);
    },
  );

  test('an account without funds sends nothing and keeps nothing', async () => {
    const poor = await world.person({ balance: 0 });
    const widgetId = await otpWidget(poor);
    expect(await refusal(otpSession(world, widgetId, phone))).toMatchObject({
      type: 'NoAvailableChannelsException',
      payload: { code: 'insufficient_funds' },
    });
    expect(await sql(`select 1 from sendings where owner_id = $1`, [poor.id])).toEqual([]);
    expect(await sql(`select 1 from otp_sessions where owner_id = $1`, [poor.id])).toEqual([]);
  });

  test('settings: channels in use stay, addresses are checked, types have their rules', async () => {
    const widgetId = await otpWidget(owner, ['flashcall']);
    const { otpWidgetChannelSettings: channels } = await owner.api(otpWidgets.get, {
      params: { id: widgetId },
    });
    expect(channels).toEqual([
      {
        otpChannelSettingsId: expect.any(String),
        priority: 1,
        otpChannelSettings: { name: 'flashcall', channelType: 'flashcall' },
      },
    ]);
    const id = channels[0]!.otpChannelSettingsId;

    await expect(owner.api(otpChannels.remove, { params: { id } })).rejects.toMatchObject({
      code: 'in_use',
    });
    const additionalSettings = {
      code: { length: 6, beautify: false },
      lifetime: 60,
      numberOfTries: 3,
      numberOfRestart: 1,
    };
    await expect(
      owner.api(otpChannels.update, { params: { id }, body: { additionalSettings } }),
    ).rejects.toMatchObject({ code: 'validation' });
    const kept = await owner.api(otpChannels.get, { params: { id } });
    const changed = await owner.api(otpChannels.update, {
      params: { id },
      body: { additionalSettings: { numberOfTries: 5, code: { beautify: true } } },
    });
    expect(changed.additionalSettings).toEqual({
      ...kept.additionalSettings,
      numberOfTries: 5,
      code: { ...kept.additionalSettings.code, beautify: true },
    });
    for (const address of [
      'shop',
      '1.2.3',
      '2130706433',
      '0x7f000001',
      'fe80::1%eth0',
      '1.2.3.4/',
    ]) {
      const bad = { body: { name: 'Tea', ipWhitelist: ['10.0.0.0/8', address] } };
      await expect(owner.api(otpWidgets.create, bad), address).rejects.toMatchObject({
        code: 'validation',
      });
    }
    const off = { body: { name: 'Tea', captchaProvider: 'google' as const } };
    await expect(owner.api(otpWidgets.create, off)).rejects.toMatchObject({ code: 'validation' });
    const foreign = await otpChannel(await world.person(), 'viber');
    await expect(
      owner.api(otpWidgets.setChannels, {
        params: { id: widgetId },
        body: { otpWidgetChannelSettings: [{ otpChannelSettingsId: foreign, priority: 1 }] },
      }),
    ).rejects.toMatchObject({ code: 'not_found' });
  });

  test('a widget whose captcha is no longer configured can be changed and put back, but not given another such one', async () => {
    const widgetId = await otpWidget(owner);
    const params = { id: widgetId };
    const set = (body: object) => owner.api(otpWidgets.update, { params, body });
    await world.db.query(`update otp_widgets set captcha_provider = 'google' where id = $1`, [
      widgetId,
    ]);
    const before = await owner.api(otpWidgets.get, { params });
    expect(before.captchaProvider).toBe('google');
    expect(await set({ name: 'Tea shop' })).toMatchObject({ captchaProvider: 'google' });
    const back = { name: before.name, captchaProvider: 'google' as const };
    expect(await set(back)).toMatchObject(back);
    const another = 'yandex' as const;
    await expect(set({ captchaProvider: another })).rejects.toMatchObject({ code: 'validation' });
    expect(await set({ captchaProvider: 'altcha' })).toMatchObject({ captchaProvider: 'altcha' });
    await expect(set({ captchaProvider: 'google' })).rejects.toMatchObject({ code: 'validation' });
  });

  test('an erased person is in no session, and the data is consistent', async () => {
    const widgetId = await otpWidget(owner);
    const id = await otpSession(world, widgetId, phone);
    await owner.api(persons.erase, { body: { address: phone } });
    const erased = () =>
      sql(
        `select 1 from otp_sessions where id = $1 and phone like 'erased-%' and network is null and state = 3`,
        [id],
      );
    await until(async () => (await erased()).length > 0, 'the erasure');
    expect((await verifyOtp(world.db)).filter(({ id: one }) => one === id)).toEqual([]);
  });
}
