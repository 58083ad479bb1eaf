import { describe, expect, it } from 'vitest';

import type { OutgoingMessage } from '../channel.ts';
import { parseOptions } from '../options.ts';
import { Options } from './options.ts';
import { mappingDriver } from './mapping.driver.ts';
import { presets } from './presets.ts';

const NOW = new Date('2026-03-04T05:06:07Z');
const reference = '01890000-0000-7000-8000-00000000000a';
const message: OutgoingMessage = {
  reference,
  type: 'sms',
  sender: 'Helio',
  recipient: '+79001234567',
  payload: { text: 'Привет, 100 %' },
  segments: 1,
  tries: 0,
};

function optionsOf(name: string) {
  const { options } = presets.find((preset) => preset.name === name)!;
  return parseOptions(name, Options, {
    ...options,
    ...(options.callback !== undefined && {
      callbackUrl: 'https://sms.example/api/callbacks/one',
      callbackSecret: 'a-secret-of-callbacks',
    }),
    username: 'user',
    password: 'pass word',
    token: 'key',
  });
}

const rehearse = (name: string, sample: { answer?: [number, string]; callback?: string }) =>
  mappingDriver.rehearse!(optionsOf(name), {
    message,
    now: NOW,
    ...(sample.answer && { answer: { status: sample.answer[0], body: sample.answer[1] } }),
    callback: sample.callback,
  });

it('are options of the driver, with every field of a message of their types', () => {
  for (const { name } of presets) expect(() => optionsOf(name)).not.toThrow();
  expect(presets.map(({ name }) => name)).toHaveLength(new Set(presets.map((p) => p.name)).size);
});

const URL_OF_CALLBACKS = 'https://sms.example/api/callbacks/one?token=a-secret-of-callbacks';

describe('the request of', () => {
  it.each([
    [
      'infobip-sms',
      {
        messages: [
          {
            sender: 'Helio',
            destinations: [{ to: '79001234567', messageId: reference }],
            content: { text: 'Привет, 100 %' },
            webhooks: { delivery: { url: URL_OF_CALLBACKS } },
          },
        ],
      },
      { authorization: 'App key' },
    ],
    [
      'sinch',
      {
        from: 'Helio',
        to: ['79001234567'],
        body: 'Привет, 100 %',
        delivery_report: 'per_recipient',
        client_reference: reference,
        callback_url: URL_OF_CALLBACKS,
      },
      { authorization: 'Bearer key' },
    ],
    [
      'vonage',
      {
        message_type: 'text',
        channel: 'sms',
        from: 'Helio',
        to: '79001234567',
        text: 'Привет, 100 %',
        client_ref: reference,
        webhook_url: URL_OF_CALLBACKS,
      },
      { authorization: `Basic ${Buffer.from('user:pass word').toString('base64')}` },
    ],
    [
      'sigmasms',
      {
        recipient: '+79001234567',
        type: 'sms',
        payload: { sender: 'Helio', text: 'Привет, 100 %' },
      },
      { authorization: 'key' },
    ],
    [
      'devino',
      { messages: [{ from: 'Helio', to: '79001234567', text: 'Привет, 100 %' }] },
      { authorization: 'Key key' },
    ],
    [
      'mts-exolve',
      { number: 'Helio', destination: '79001234567', text: 'Привет, 100 %' },
      { authorization: 'Bearer key' },
    ],
    [
      'jambonz',
      {
        application_sid: 'user',
        from: 'Helio',
        to: { type: 'phone', number: '+79001234567' },
        call_status_hook: { url: URL_OF_CALLBACKS, method: 'POST' },
        tag: { reference, text: 'Привет, 100 %' },
      },
      { authorization: 'Bearer key' },
    ],
    [
      'rapporto-vk',
      {
        login: 'user',
        password: 'pass word',
        id: reference,
        destAddr: '+79001234567',
        message: { type: 'VK', data: { text: 'Привет, 100 %', serviceNumber: 'Helio' } },
        shortenLinks: false,
        notifyUrl: URL_OF_CALLBACKS,
      },
      {},
    ],
  ])('%s is JSON', (name, body, headers) => {
    const { request } = rehearse(name, {});
    expect(JSON.parse(request.body!)).toEqual(body);
    expect(request).toMatchObject({
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
    });
  });

  it.each([
    [
      'twilio',
      {
        To: '+79001234567',
        From: 'Helio',
        Body: 'Привет, 100 %',
        StatusCallback: 'https://sms.example/api/callbacks/one',
      },
    ],
    [
      'smsc-ru',
      {
        login: 'user',
        psw: 'pass word',
        phones: '+79001234567',
        mes: 'Привет, 100 %',
        sender: 'Helio',
        charset: 'utf-8',
        fmt: '3',
      },
    ],
    [
      'sms-ru',
      { api_id: 'key', to: '79001234567', msg: 'Привет, 100 %', from: 'Helio', json: '1' },
    ],
    [
      'jasmin',
      {
        username: 'user',
        password: 'pass word',
        from: 'Helio',
        to: '79001234567',
        content: 'Привет, 100 %',
        coding: '8',
        dlr: 'yes',
        'dlr-level': '3',
        'dlr-method': 'POST',
        'dlr-url': URL_OF_CALLBACKS,
      },
    ],
  ])('%s is a form', (name, fields) => {
    const { request } = rehearse(name, {});
    expect(request.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(Object.fromEntries(new URLSearchParams(request.body))).toEqual(fields);
  });

  it.each([
    [
      'kannel',
      {
        username: 'user',
        password: 'pass word',
        from: 'Helio',
        to: '+79001234567',
        text: 'Привет, 100 %',
        charset: 'UTF-8',
        coding: '2',
        'dlr-mask': '31',
        'dlr-url': `${URL_OF_CALLBACKS}&reference=${reference}&status=%d&at=%T&err=%A`,
      },
    ],
    [
      'playsms',
      {
        app: 'ws',
        u: 'user',
        h: 'key',
        op: 'pv',
        to: '+79001234567',
        from: 'Helio',
        msg: 'Привет, 100 %',
        unicode: '1',
        format: 'json',
      },
    ],
  ])('%s is a query', (name, fields) => {
    const { request } = rehearse(name, {});
    expect(request).toMatchObject({ method: 'GET' });
    expect(request.body).toBeUndefined();
    expect(Object.fromEntries(new URL(request.url).searchParams)).toEqual(fields);
  });
});

const accepted = (id?: string) => ({
  reference,
  result: 'accepted',
  ...(id !== undefined && { externalIds: [id] }),
});
const rejected = (code: string, carrierCode: string, text?: string) => ({
  reference,
  result: 'rejected',
  code,
  carrierCode,
  ...(text && { text }),
});
const throttled = { reference, result: 'throttled', retryAfter: 5_000 };
const down = (text: string) => ({ result: 'down', text });

const infobip = (group: string, name: string, description = 'Words') =>
  JSON.stringify({
    bulkId: 'b',
    messages: [
      {
        messageId: reference,
        destination: '79001234567',
        status: { groupId: 1, groupName: group, id: 26, name, description },
      },
    ],
  });

describe('the answer of', () => {
  it.each([
    ['infobip-sms', 200, infobip('PENDING', 'PENDING_ACCEPTED'), accepted(reference)],
    [
      'infobip-sms',
      200,
      infobip('REJECTED', 'REJECTED_DESTINATION', 'Blocked'),
      rejected('invalid_recipient', 'REJECTED_DESTINATION', 'Blocked'),
    ],
    [
      'infobip-viber',
      200,
      infobip('REJECTED', 'REJECTED_NOT_ENOUGH_CREDITS'),
      down('REJECTED_NOT_ENOUGH_CREDITS Words'),
    ],
    [
      'infobip-sms',
      401,
      '{"requestError":{"serviceException":{"messageId":"UNAUTHORIZED","text":"Invalid login"}}}',
      down('UNAUTHORIZED Invalid login'),
    ],
    ['sinch', 201, '{"id":"01FC66","to":["79001234567"],"canceled":false}', accepted('01FC66')],
    [
      'sinch',
      400,
      '{"code":"syntax_invalid_parameter_format","text":"Expected a phone number"}',
      rejected('invalid_payload', 'syntax_invalid_parameter_format', 'Expected a phone number'),
    ],
    ['vonage', 202, '{"message_uuid":"aaaa-bbbb"}', accepted('aaaa-bbbb')],
    [
      'vonage',
      401,
      '{"type":"https://x","title":"Unauthorized","detail":"You did not provide correct credentials."}',
      down('Unauthorized You did not provide correct credentials.'),
    ],
    ['twilio', 201, '{"sid":"SM1","status":"queued","error_code":null}', accepted('SM1')],
    [
      'twilio',
      400,
      '{"code":21610,"message":"Attempt to send to unsubscribed recipient","status":400}',
      rejected('blocked', '21610', 'Attempt to send to unsubscribed recipient'),
    ],
    ['smsc-ru', 200, '{"id":1234,"cnt":1}', accepted('1234')],
    [
      'smsc-ru',
      200,
      '{"error":"invalid number","error_code":7,"id":1235}',
      rejected('invalid_recipient', '7', 'invalid number'),
    ],
    ['smsc-ru', 200, '{"error":"duplicate request, wait a minute","error_code":9}', throttled],
    [
      'sms-ru',
      200,
      '{"status":"OK","status_code":100,"sms":{"79001234567":{"status":"OK","status_code":100,"sms_id":"000000-10000000"}},"balance":4122.56}',
      accepted('000000-10000000'),
    ],
    [
      'sms-ru',
      200,
      '{"status":"OK","status_code":100,"sms":{"79001234567":{"status":"ERROR","status_code":207,"status_text":"No way"}}}',
      rejected('no_route', '207', 'No way'),
    ],
    [
      'sms-ru',
      200,
      '{"status":"ERROR","status_code":301,"status_text":"Wrong password"}',
      down('301 Wrong password'),
    ],
    [
      'sigmasms',
      200,
      '{"id":"4f0","recipient":"+79001234567","status":"pending"}',
      accepted('4f0'),
    ],
    [
      'sigmasms',
      422,
      '{"error":"ValidationError","message":"Wrong sender"}',
      rejected('invalid_payload', 'ValidationError', 'Wrong sender'),
    ],
    ['devino', 200, '{"result":[{"code":"OK","messageId":"3215685"}]}', accepted('3215685')],
    [
      'devino',
      200,
      '{"result":[{"code":"REJECTED","reasons":[{"message":"Sender"}]}]}',
      rejected('rejected', 'REJECTED', 'Sender'),
    ],
    ['mts-exolve', 200, '{"message_id":"439166538239448539"}', accepted('439166538239448539')],
    ['jambonz', 201, '{"sid":"5f3e0d5f-ba6f"}', accepted('5f3e0d5f-ba6f')],
    [
      'jambonz',
      400,
      '{"msg":"either application_sid or call_hook is required"}',
      rejected(
        'invalid_payload',
        'either application_sid or call_hook is required',
        'either application_sid or call_hook is required',
      ),
    ],
    ['jambonz', 401, 'Unauthorized', down('answered 401')],
    ['jambonz', 480, '{"msg":"no available feature servers"}', down('answered 480')],
    ['rapporto-vk', 200, `{"mtNum":"7390612217","id":"${reference}"}`, accepted('7390612217')],
    [
      'rapporto-vk',
      406,
      '{"error":{"code":9,"description":"Message type is not correct"},"extendedDescription":"VK sending is not allowed for user."}',
      rejected('unsupported', '9', 'VK sending is not allowed for user.'),
    ],
    [
      'rapporto-vk',
      406,
      '{"error":{"code":8,"description":"destAddr is not correct"}}',
      rejected('invalid_recipient', '8', 'destAddr is not correct'),
    ],
    [
      'rapporto-vk',
      409,
      '{"error":{"code":10,"description":"Prohibited sending duplicates"}}',
      rejected('rejected', '10', 'Prohibited sending duplicates'),
    ],
    [
      'rapporto-vk',
      401,
      '{"error":{"code":6,"description":"Invalid password"}}',
      down('6 Invalid password'),
    ],
    [
      'rapporto-vk',
      500,
      '{"error":{"code":100,"description":"100"}}',
      { result: 'unknown', text: 'answered 500' },
    ],
    ['kannel', 202, '0: Accepted for delivery', accepted()],
    ['kannel', 202, '3: Queued for later delivery', accepted()],
    ['kannel', 403, 'Authorization failed for sendsms', down('Authorization failed for sendsms')],
    [
      'jasmin',
      200,
      'Success "07033084-5cfd-4812-90a4-e4d24ffb6e3d"',
      accepted('07033084-5cfd-4812-90a4-e4d24ffb6e3d'),
    ],
    ['jasmin', 412, 'Error "No route found"', rejected('no_route', 'No route found')],
    [
      'playsms',
      200,
      '{"data":[{"status":"OK","error":"0","smslog_id":"1","queue":"ab","to":"+79001234567"}],"error_string":null,"timestamp":1}',
      accepted('1'),
    ],
    [
      'playsms',
      200,
      '{"status":"ERR","error":"100","error_string":"authentication failed"}',
      down('100 authentication failed'),
    ],
    [
      'whatsapp-cloud',
      200,
      '{"messaging_product":"whatsapp","contacts":[{"input":"7","wa_id":"7"}],"messages":[{"id":"wamid.A"}]}',
      accepted('wamid.A'),
    ],
    [
      'whatsapp-cloud',
      400,
      '{"error":{"message":"(#131047) Re-engagement message","code":131047,"error_data":{"details":"More than 24 hours have passed"}}}',
      rejected('outside_window', '131047', 'More than 24 hours have passed'),
    ],
    [
      'whatsapp-cloud',
      401,
      '{"error":{"message":"Error validating access token","code":190}}',
      down('190 Error validating access token'),
    ],
    ['telegram-gateway', 200, '{"ok":true,"result":{"request_id":"r"}}', accepted('r')],
    [
      'telegram-gateway',
      200,
      '{"ok":false,"error":"PHONE_NUMBER_NOT_FOUND"}',
      rejected('not_a_user', 'PHONE_NUMBER_NOT_FOUND'),
    ],
    ['telegram-gateway', 200, '{"ok":false,"error":"FLOOD_WAIT_5"}', throttled],
    ['vonage', 500, 'oops', { result: 'unknown', text: 'answered 500' }],
    ['vonage', 200, 'oops', { result: 'unknown', text: 'answered something unreadable' }],
    ['vonage', 200, '{}', { result: 'unknown', text: 'No rule fits the answer.' }],
    ['vonage', 404, 'oops', down('answered 404')],
    ['vonage', 422, 'oops', down('answered 422')],
  ])('%s: %i %s', (name, status, body, result) => {
    expect(rehearse(name, { answer: [status, body] }).result).toEqual(result);
  });
});

const at = new Date('2026-03-04T05:06:08Z');
const report = (fields: object) => ({
  reports: [{ at: NOW, ...fields }],
  messages: [],
  ignored: 0,
});

describe('the callback of', () => {
  it.each([
    [
      'infobip-sms',
      `{"results":[{"messageId":"${reference}","to":"7","doneAt":"2026-03-04T05:06:08.000+0000","status":{"groupName":"DELIVERED","name":"DELIVERED_TO_HANDSET"},"error":{"name":"NO_ERROR"}}]}`,
      report({ reference, status: 'delivered', at }),
    ],
    [
      'infobip-sms',
      `{"results":[{"messageId":"${reference}","status":{"groupName":"UNDELIVERABLE"},"error":{"name":"EC_ABSENT_SUBSCRIBER"}}]}`,
      report({
        reference,
        status: 'failed',
        code: 'absent_subscriber',
        carrierCode: 'EC_ABSENT_SUBSCRIBER',
      }),
    ],
    [
      'sinch',
      `{"type":"recipient_delivery_report_sms","batch_id":"b","client_reference":"${reference}","status":"Failed","code":402,"at":"2026-03-04T05:06:08Z"}`,
      report({ reference, status: 'failed', code: 'number_not_found', carrierCode: '402', at }),
    ],
    [
      'sinch',
      '{"type":"mo_text","id":"m1","from":"79001234567","to":"12345","body":"да","received_at":"2026-03-04T05:06:08Z"}',
      {
        reports: [],
        messages: [{ id: 'm1', from: '79001234567', to: '12345', text: 'да', at }],
        ignored: 0,
      },
    ],
    [
      'vonage',
      '{"message_uuid":"u","status":"undeliverable","error":{"title":"1170"},"timestamp":"2026-03-04T05:06:08Z"}',
      report({
        externalId: 'u',
        status: 'failed',
        code: 'invalid_recipient',
        carrierCode: '1170',
        at,
      }),
    ],
    [
      'twilio',
      'MessageSid=SM1&MessageStatus=undelivered&ErrorCode=30006&To=%2B79001234567&From=Helio',
      report({ externalId: 'SM1', status: 'failed', code: 'landline', carrierCode: '30006' }),
    ],
    [
      'twilio',
      'MessageSid=SM2&From=%2B79001234567&To=%2B15005550006&Body=Hi',
      {
        reports: [],
        messages: [{ id: 'SM2', from: '+79001234567', to: '+15005550006', text: 'Hi', at: NOW }],
        ignored: 0,
      },
    ],
    [
      'smsc-ru',
      'id=1234&phone=79001234567&status=1&time=04.03.2026+08%3A06%3A08&ts=1772600768&err=0',
      report({ externalId: '1234', status: 'delivered', at }),
    ],
    [
      'smsc-ru',
      'id=1234&phone=79001234567&status=20&err=6',
      report({ externalId: '1234', status: 'failed', code: 'absent_subscriber', carrierCode: '6' }),
    ],
    [
      'sms-ru',
      'data[0]=sms_status%0A000-1%0A103%0A1772600768&data[1]=sms_status%0A000-2%0A104%0A1772600768',
      {
        reports: [
          { externalId: '000-1', status: 'delivered', at },
          { externalId: '000-2', status: 'failed', code: 'expired', at },
        ],
        messages: [],
        ignored: 0,
      },
    ],
    [
      'devino',
      '{"result":[{"messageId":"3215685","state":"0"},{"messageId":"1","state":"255"}]}',
      { ...report({ externalId: '3215685', status: 'delivered' }), ignored: 1 },
    ],
    [
      'jambonz',
      '{"call_sid":"5f3e0d5f-ba6f","direction":"outbound","from":"Helio","to":"+79001234567","sip_status":180,"call_status":"ringing"}',
      report({ externalId: '5f3e0d5f-ba6f', status: 'sent' }),
    ],
    [
      'jambonz',
      '{"call_sid":"5f3e0d5f-ba6f","sip_status":200,"sip_reason":"OK","call_status":"completed","duration":12}',
      report({ externalId: '5f3e0d5f-ba6f', status: 'delivered', seconds: 12 }),
    ],
    [
      'jambonz',
      '{"call_sid":"5f3e0d5f-ba6f","sip_status":486,"call_status":"busy","call_termination_by":"callee"}',
      report({ externalId: '5f3e0d5f-ba6f', status: 'failed', code: 'busy', carrierCode: '486' }),
    ],
    [
      'jambonz',
      '{"call_sid":"5f3e0d5f-ba6f","sip_status":404,"call_status":"failed"}',
      report({
        externalId: '5f3e0d5f-ba6f',
        status: 'failed',
        code: 'number_not_found',
        carrierCode: '404',
      }),
    ],
    [
      'rapporto-vk',
      `{"id":"${reference}","mtNum":"107930572","status":2,"type":"VK","doneDate":"2026-03-04T08:06:08+0300","submitDate":"2026-03-04T08:05:55+0300","sourceAddr":"Helio","destAddr":"79001234567","text":"Hi","partCount":"001","errorCode":"0","mccMnc":"25012","trafficType":2}`,
      report({ reference, status: 'delivered', at }),
    ],
    [
      'rapporto-vk',
      '{"mtNum":"107930572","status":9,"type":"VK","doneDate":"2026-03-04T08:06:08+0300","sourceAddr":"Helio","destAddr":"79001234567","errorCode":"0"}',
      report({ externalId: '107930572', status: 'seen', at }),
    ],
    ...[
      ['1', 'undeliverable'],
      ['3', 'blocked'],
      ['6', 'not_a_user'],
      ['10', 'content_rejected'],
      ['11', 'no_route'],
    ].map(([carrierCode, code]): [string, string, ReturnType<typeof report>] => [
      'rapporto-vk',
      `{"id":"${reference}","mtNum":"107930572","status":5,"type":"VK","doneDate":"","errorCode":"${carrierCode}"}`,
      report({ reference, status: 'failed', code, carrierCode }),
    ]),
    [
      'rapporto-vk',
      `{"id":"${reference}","mtNum":"107930572","status":0,"type":"VK","errorCode":"0"}`,
      report({ reference, status: 'sent' }),
    ],
    [
      'kannel',
      `token=x&reference=${reference}&status=1&at=1772600768&err=`,
      report({ reference, status: 'delivered', at }),
    ],
    [
      'jasmin',
      'id=0703&message_status=UNDELIV&level=3&donedate=2603040506',
      report({ externalId: '0703', status: 'failed', code: 'undeliverable' }),
    ],
    [
      'whatsapp-cloud',
      JSON.stringify({
        object: 'whatsapp_business_account',
        entry: [
          {
            changes: [
              {
                value: {
                  metadata: { display_phone_number: '15550001111' },
                  statuses: [
                    { id: 'wamid.A', status: 'read', timestamp: '1772600768' },
                    { id: 'wamid.B', status: 'failed', errors: [{ code: 131026 }] },
                  ],
                },
              },
            ],
          },
          {
            changes: [
              {
                value: {
                  messages: [
                    { from: '79001234567', id: 'wamid.C', type: 'text', text: { body: 'да' } },
                    { from: '79001234567', id: 'wamid.D', type: 'image', image: { id: '1' } },
                  ],
                },
              },
            ],
          },
        ],
      }),
      {
        reports: [
          { externalId: 'wamid.A', status: 'seen', at },
          {
            externalId: 'wamid.B',
            status: 'failed',
            code: 'not_a_user',
            carrierCode: '131026',
            at: NOW,
          },
        ],
        messages: [{ id: 'wamid.C', from: '79001234567', to: '15550001111', text: 'да', at: NOW }],
        ignored: 1,
      },
    ],
    [
      'telegram-gateway',
      `{"request_id":"r","phone_number":"7","delivery_status":{"status":"read","updated_at":1772600768},"payload":"${reference}"}`,
      report({ reference, status: 'seen', at }),
    ],
    ['jasmin', 'id=0703&message_status=constructor', { reports: [], messages: [], ignored: 1 }],
  ])('%s: %s', (name, callback, read) => {
    const { answer, ...others } = rehearse(name, { callback }).callback!;
    expect(others).toEqual(read);
    expect(answer).toBe({ 'sms-ru': '100', jasmin: 'ACK/Jasmin', twilio: '' }[name] ?? 'OK');
  });
});
