import { describe, expect, it } from 'vitest';
import { compileContent, type MessageTexts } from './message-content.ts';
import type { SendingType } from './types.ts';

const anna = { firstName: 'Anna', custom01: 'a b&c/d?e#f', custom02: '', phone: '+79161234567' };
const render = (type: SendingType, content: MessageTexts & { image?: string; audio?: string }) =>
  compileContent(type, content).render(anna);

describe('compileContent', () => {
  it.each([
    ['sms', { text: '{custom02}' }],
    ['sms', { text: '{custom02|}' }],
    ['sms', { text: ' \u200b{custom02|\u3164}' }],
    ['whatsapp', { text: 'Hi {custom02}', image: 'x' }],
    ['email', { text: 'Hi', subject: 'For {custom02}' }],
    ['viber', { text: 'Hi', button: { text: '{custom02|}', url: 'https://x.example' } }],
    ['viber', { text: 'Hi', button: { text: 'Open', url: 'https://x.example/{custom02}' } }],
    ['vk', { text: 'Hi', buttons: [{ text: 'Open', action: '{custom02|}' }] }],
  ] as const)('%s %j is not sent', (type, content) => {
    expect(render(type, content as MessageTexts)).toBeNull();
  });

  it('sends a picture or a recording without the text that is blank', () => {
    expect(render('whatsapp', { text: '{custom02| }', image: 'x' })).toEqual({
      text: '',
      parts: null,
    });
    expect(render('voice', { text: '{custom02|}', audio: 'x' })).toEqual({ text: '', parts: null });
  });

  it('fills in every field', () => {
    expect(
      render('email', { text: 'Hi {firstName}', subject: '{firstName}, {custom02|news} {{1}}' }),
    ).toEqual({ text: 'Hi Anna', parts: { subject: 'Anna, news {1}' } });
    const buttons = [{ text: 'For {firstName}', action: '{custom01}' }];
    expect(render('vk', { text: 'Hi', buttons })).toEqual({
      text: 'Hi',
      parts: { buttons: [{ text: 'For Anna', action: 'a b&c/d?e#f' }] },
    });
  });

  it.each([
    ['https://x.example/{custom01}', 'https://x.example/a%20b&c/d%3Fe%23f'],
    ['https://x.example/?n={custom01}', 'https://x.example/?n=a%20b%26c%2Fd%3Fe%23f'],
    ['tel:{phone}', 'tel:+79161234567'],
    ['viber://chat?number={phone}', 'viber://chat?number=%2B79161234567'],
  ])('encodes values in the link %s', (url, filled) => {
    const rendered = render('viber', { text: 'Hi', button: { text: 'Open', url } });
    expect(rendered?.parts?.button?.url).toBe(filled);
  });

  it('keeps a link whole that is a value itself, and survives halves of characters', () => {
    const { render: fill } = compileContent('vk', {
      text: 'Hi',
      buttons: [{ text: 'Stop', action: 'https://x.example/{custom01}{unsubscribe|}' }],
    });
    expect(fill({ custom01: '\ud800' })?.parts?.buttons?.[0]?.action).toBe(
      'https://x.example/%EF%BF%BD',
    );
  });

  it('is static without variables, and lists those of all fields', () => {
    expect(compileContent('sms', { text: 'Hi' })).toMatchObject({ isStatic: true, names: [] });
    expect(
      compileContent('email', { text: 'Hi {phone}', subject: '{firstName} {phone}' }),
    ).toMatchObject({ isStatic: false, names: ['phone', 'firstName'] });
  });

  it('needs no text for a check of a number', () => {
    expect(render('hlr', {})).toEqual({ text: '', parts: null });
  });
});
