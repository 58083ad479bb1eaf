import { LinkInput, type Tariff } from '@heliograph/contract';
import { describe, expect, it } from 'vitest';
import { checkRecipients } from './check-recipients.ts';
import { curlOf } from './curl.ts';
import { packDraft, unpackDraft } from './draft.ts';
import { billedBy, priceFrom } from './prices-from.ts';
import { emptyValues, NO_PAYLOAD } from './send-values.ts';
import { losesCapitals, NO_UTM, utmErrors, utmLink, utmTarget } from './utm.ts';

describe('tracking links', () => {
  const marks = { ...NO_UTM, source: 'vk', campaign: 'Autumn sale' };
  it.each([
    [
      'https://Tea.shop/Sale',
      'tea.shop/sale?utm_source=vk&utm_medium=sms&utm_campaign=autumn%20sale',
    ],
    [
      'tea.shop//a///b ?x=1&&y=2#top',
      'tea.shop/a/b?x=1&y=2&utm_source=vk&utm_medium=sms&utm_campaign=autumn%20sale#top',
    ],
    [
      'tea.shop?utm_source=old&x=1',
      'tea.shop?x=1&utm_source=vk&utm_medium=sms&utm_campaign=autumn%20sale',
    ],
  ])('%s', (url, link) => {
    expect(utmErrors({ ...marks, url })).toEqual({});
    expect(utmLink({ ...marks, url })).toBe(link);
  });

  it.each([
    [
      'Tea.shop/Sale?Id=A#Top',
      'https://Tea.shop/Sale?Id=A&utm_source=vk&utm_medium=sms&utm_campaign=autumn%20sale#Top',
    ],
    [
      'http://tea.shop/a//b?UTM_source=old',
      'http://tea.shop/a//b?utm_source=vk&utm_medium=sms&utm_campaign=autumn%20sale',
    ],
    ['ftp://tea.shop', 'https://tea.shop?utm_source=vk&utm_medium=sms&utm_campaign=autumn%20sale'],
  ])('lead, when they are short, where %s says', (url, target) => {
    expect(utmTarget({ ...marks, url })).toBe(target);
    expect(LinkInput.safeParse({ url: utmTarget({ ...marks, url }) }).success).toBe(true);
  });

  it('begin with a domain whose zone has 2 to 6 letters', () => {
    for (const url of ['tea', 'tea.e', 'tea.toolong', 'tea.123', '.example', 'tea example'])
      expect([url, utmErrors({ ...marks, url })]).toEqual([url, { url: 'domain' }]);
    expect(utmErrors({ ...marks, url: 'чай.рф/акция' })).toEqual({});
    expect(utmErrors(NO_UTM)).toEqual({
      url: 'required',
      source: 'required',
      campaign: 'required',
    });
  });

  it('warn of capitals that are lost', () => {
    expect(losesCapitals('https://Tea.shop/sale')).toBe(false);
    expect(losesCapitals('https://tea.shop/Sale')).toBe(true);
  });
});

describe('pasted recipients', () => {
  it('are normalised, counted, and the wrong ones said why', () => {
    const pasted =
      '8 916 123-45-67\n+79161234567;89161234568\n123\nAnna\n+71234567890\n+7916123456789012';
    expect(checkRecipients(pasted, 'phone')).toEqual({
      valid: 2,
      duplicates: 1,
      clean: ['+79161234567', '+79161234568'],
      wrong: [
        { raw: '+79161234567', fault: 'duplicate' },
        { raw: '123', fault: 'short' },
        { raw: 'Anna', fault: 'characters' },
        { raw: '+71234567890', fault: 'plan' },
        { raw: '+7916123456789012', fault: 'long' },
      ],
    });
  });

  it('are not on the other side as well, however they are spelled', () => {
    const { wrong } = checkRecipients('8 916 123 45 67', 'phone', '+79161234567');
    expect(wrong).toEqual([{ raw: '8 916 123 45 67', fault: 'both' }]);
  });

  it('are e-mail addresses where the channel takes them', () => {
    expect(checkRecipients('Anna@tea.shop\n+79161234567', 'email')).toMatchObject({
      clean: ['anna@tea.shop'],
      wrong: [{ raw: '+79161234567', fault: 'email' }],
    });
  });
});

it('a request as a command survives quotes and names no token', () => {
  const command = curlOf('https://send.example', { text: `it's {firstName}` });
  expect(command).toContain(`'https://send.example/api/sendings'`);
  expect(command).toContain(`it'\\''s {firstName}`);
  expect(command).toContain('Authorization: $TOKEN');
});

describe('prices', () => {
  const rule = (price: number | number[], over: object = {}) => ({
    id: 'r',
    action: 'increase' as const,
    price,
    conditions: [] as { tag: 'type' | 'mccmnc'; value: string }[],
    priority: 0,
    ...over,
  });
  const tariff = (source: string, finalRules: ReturnType<typeof rule>[]) =>
    ({
      usersTariffs: [{ id: 't', title: 'T', source, priority: 0, finalRules }],
    }) as unknown as Tariff;
  const ofType = (value: string) => ({ conditions: [{ tag: 'type' as const, value }] });

  it('are the lowest of the rules for a type', () => {
    const all = billedBy([
      tariff('sms', [rule(3.2), rule(2.6, { conditions: [{ tag: 'mccmnc', value: '25002' }] })]),
      tariff('base', [rule(1.9, ofType('viber')), rule([0.6, 0.09], ofType('voice'))]),
      tariff('sms', [rule(0.1, { action: 'decrease' })]),
    ]);
    expect(priceFrom(all, 'sms')).toEqual([2.6]);
    expect(priceFrom(all, 'viber')).toEqual([1.9]);
    expect(priceFrom(all, 'voice')).toEqual([0.6, 0.09]);
    expect(priceFrom(all, 'vk')).toBeNull();
  });

  it('are not said to be none where rules for any type may set them', () => {
    const all = billedBy([tariff('base', [rule(0.2), rule(1.9, ofType('viber'))])]);
    expect(priceFrom(all, 'vk')).toEqual([]);
    expect(priceFrom(all, 'viber')).toEqual([1.9]);
  });
});

describe('a draft', () => {
  const values = { ...emptyValues('viber'), payload: { ...NO_PAYLOAD, text: 'Hello' } };
  it('comes back as it was', () => {
    expect(unpackDraft(packDraft(values, 5))).toEqual({ values, savedAt: 5 });
  });
  it('is nothing where there is nothing, or nothing readable', () => {
    expect(packDraft(emptyValues('sms'), 5)).toBeNull();
    for (const text of [null, '', '{', '{"version":0}', '{"version":1,"savedAt":1}'])
      expect(unpackDraft(text)).toBeNull();
  });
});
