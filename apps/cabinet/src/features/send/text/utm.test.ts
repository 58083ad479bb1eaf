import { LinkInput } from '@heliograph/contract';
import { describe, expect, it } from 'vitest';
import { losesCapitals, NO_UTM, utmErrors, utmLink, utmTarget } from './utm.ts';

describe('tracking links', () => {
  const marks = { ...NO_UTM, source: 'vk', campaign: 'Autumn sale' };
  it.each([
    ['https://Tea.shop/Sale', 'tea.shop/sale?utm_source=vk&utm_medium=sms&utm_campaign=autumnsale'],
    [
      'tea.shop//a///b ?x=1&&y=2#top',
      'tea.shop/a/b?x=1&y=2&utm_source=vk&utm_medium=sms&utm_campaign=autumnsale#top',
    ],
    [
      'https://Tea.shop//login?back=https://a.example//b#x//y',
      'tea.shop/login?back=https://a.example//b&utm_source=vk&utm_medium=sms&utm_campaign=autumnsale#x//y',
    ],
    [
      'archive.example/2026//https://a.example//b',
      'archive.example/2026/https://a.example/b?utm_source=vk&utm_medium=sms&utm_campaign=autumnsale',
    ],
    [
      'tea.shop?a=1?b=2#c#d',
      'tea.shop?a=1?b=2&utm_source=vk&utm_medium=sms&utm_campaign=autumnsale#c#d',
    ],
    [
      'tea.shop?utm_source=old&x=1',
      'tea.shop?x=1&utm_source=vk&utm_medium=sms&utm_campaign=autumnsale',
    ],
  ])('%s', (url, link) => {
    expect(utmErrors({ ...marks, url })).toEqual({});
    expect(utmLink({ ...marks, url })).toBe(link);
  });

  it.each([
    [
      'Tea.shop/Sale?Id=A#Top',
      'https://Tea.shop/Sale?Id=A&utm_source=vk&utm_medium=sms&utm_campaign=autumnsale#Top',
    ],
    [
      'http://tea.shop/a//b?UTM_source=old',
      'http://tea.shop/a//b?utm_source=vk&utm_medium=sms&utm_campaign=autumnsale',
    ],
    ['ftp://tea.shop', 'https://tea.shop?utm_source=vk&utm_medium=sms&utm_campaign=autumnsale'],
  ])('lead, when they are short, where %s says', (url, target) => {
    expect(utmTarget({ ...marks, url })).toBe(target);
    expect(LinkInput.safeParse({ url: utmTarget({ ...marks, url }) }).success).toBe(true);
  });

  it('have no spaces in any value, and escapes in lower case', () => {
    const values = { ...marks, url: 'tea.shop', campaign: ' Чаи\u0306 & Co\u00a0', term: ' \t' };
    const link = 'tea.shop?utm_source=vk&utm_medium=sms&utm_campaign=%d1%87%d0%b0%d0%b9%26co';
    expect(utmLink(values)).toBe(link);
    expect(utmTarget(values)).toBe(`https://${link}`);
  });

  it('begin with a domain of letters or punycode', () => {
    for (const url of ['tea', 'tea.e', 'tea.123', '.example', 'tea example'])
      expect([url, utmErrors({ ...marks, url })]).toEqual([url, { url: 'domain' }]);
    for (const url of [
      'чай.рф/акция',
      'чаи\u0306.рф',
      'चाय.भारत',
      'ชา.ไทย',
      '차.한국',
      '//tea.shop/a',
      'tea.online',
      'tea.photography/a',
      'xn--80a8b.xn--p1ai',
      'tea.xn--vermgensberatung-pwb',
    ])
      expect([url, utmErrors({ ...marks, url })]).toEqual([url, {}]);
    for (const url of ['tea.xn--', `tea.${'a'.repeat(64)}`, 'tea.c0m'])
      expect([url, utmErrors({ ...marks, url })]).toEqual([url, { url: 'domain' }]);
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
