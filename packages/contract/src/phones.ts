import { LOCALES, PHONE_CODE } from '@heliograph/domain';
import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { text, Time } from './fields.ts';

const Code = text(PHONE_CODE.digits).regex(new RegExp(`^\\d{${PHONE_CODE.digits}}$`), {
  message: `The code has ${PHONE_CODE.digits} digits.`,
});

/** A message as the simulated phone shows it. */
const SimulatedMessage = z.object({
  id: z.guid(),
  sender: z.string(),
  recipient: z.string(),
  text: z.string().nullable(),
  createdAt: Time,
});

export const phones = {
  sendCode: endpoint('POST', '/users/me/phone/code', {
    body: z.strictObject({ locale: z.enum(LOCALES).optional() }).optional(),
    /** To which phone it goes, and for how many seconds it is good. */
    response: z.object({ phone: z.string(), expiresIn: z.int() }),
    can: 'session',
    summary: 'Send the code that confirms the phone, or the one that waits to become it',
  }),
  confirm: endpoint('POST', '/users/me/phone/confirm', {
    body: z.strictObject({ code: Code }),
    response: z.object({ phone: z.string() }),
    can: 'session',
    cost: 'lookup',
    audit: 'phones.confirm',
    summary: 'Confirm the phone with the code of the SMS: it takes effect',
  }),
  /** `not_found` outside of a demonstration. */
  simulated: endpoint('GET', '/simulator/messages', {
    response: z.object({ data: z.array(SimulatedMessage) }),
    can: 'sendings.get',
    summary: 'What the simulated carrier last brought to your own phone, newest first',
  }),
};
