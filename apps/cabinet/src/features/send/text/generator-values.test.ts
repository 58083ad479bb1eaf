import { describe, expect, it } from 'vitest';
import { generatorErrors, NO_GENERATOR, toForm } from './generator-values.ts';

const whole = { ...NO_GENERATOR, messageTheme: 'Tea', occasion: 'Spring' };

describe('what a text is generated from', () => {
  it('is a theme and an occasion', () => {
    expect(generatorErrors(NO_GENERATOR, 'sms')).toEqual({
      messageTheme: 'required',
      occasion: 'required',
    });
    expect(generatorErrors({ ...whole, occasion: '  ' }, 'sms')).toEqual({ occasion: 'required' });
    expect(generatorErrors(whole, 'sms')).toEqual({});
  });

  it.each(['', '0', '11', '1.5', '-1', 'x'])('is no SMS of %j parts', (smsSegments) => {
    expect(generatorErrors({ ...whole, smsSegments }, 'sms')).toEqual({ smsSegments: 'range' });
    expect(generatorErrors({ ...whole, smsSegments }, 'viber')).toEqual({});
  });

  it('counts parts of an SMS and characters of the rest', () => {
    expect(toForm({ ...whole, smsSegments: '3' }, 'sms')).toMatchObject({ smsSegments: 3 });
    expect(toForm(whole, 'viber')).toMatchObject({ otherChars: 100 });
    expect(toForm(whole, 'viber')).not.toHaveProperty('smsSegments');
    expect(generatorErrors({ ...whole, otherChars: '1000' }, 'viber')).toEqual({});
    expect(generatorErrors({ ...whole, otherChars: '1001' }, 'viber')).toEqual({
      otherChars: 'range',
    });
  });
});
