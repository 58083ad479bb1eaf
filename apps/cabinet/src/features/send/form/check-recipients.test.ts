import { describe, expect, it } from 'vitest';
import { checkRecipients } from './check-recipients.ts';

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
