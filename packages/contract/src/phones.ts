import { LOCALES, PHONE_CODE } from '@heliograph/domain';
import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { text, Time } from './fields.ts';

const Code = text(PHONE_CODE.digits).regex(new RegExp(`^\\d{${PHONE_CODE.digits}}$`), {
  message: `The code must have ${PHONE_CODE.digits} digits.`,
});

/** A message on the simulated phone. */
const SimulatedMessage = z.object({
  id: z.guid(),
  sender: z.string(),
  recipient: z.string(),
  text: z.string().nullable(),
  createdAt: Time,
});

export const phones = {
  sendCode: endpoint('POST', '/users/me/phone/code', {
    bound: 'limiter',
    body: z.strictObject({ locale: z.enum(LOCALES).optional() }).optional(),
    /** The recipient of the code, and its lifetime in seconds. */
    response: z.object({ phone: z.string(), expiresIn: z.int() }),
    can: 'session',
    sessionOnly: true,
    summary: 'Send the confirmation code to the current or pending phone number',
  }),
  confirm: endpoint('POST', '/users/me/phone/confirm', {
    body: z.strictObject({ code: Code }),
    response: z.object({ phone: z.string() }),
    can: 'session',
    sessionOnly: true,
    cost: 'lookup',
    audit: 'phones.confirm',
    summary: 'Confirm the phone number with the code from the SMS',
  }),
  /** Of demo installations. */
  simulated: endpoint('GET', '/simulator/messages', {
    optional: true,
    response: z.object({ data: z.array(SimulatedMessage) }),
    can: 'sendings.get',
    summary: 'List the last messages of the simulated carrier to your own phone, newest first',
  }),
};
