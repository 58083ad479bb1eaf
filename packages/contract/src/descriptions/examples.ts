/** A bulk to a contact list and individual phone numbers. */
const BULK = {
  type: 'sms',
  recipient: {
    include: ['01930000-0000-7000-8000-0000000000c1', '+79990000000'],
    exclude: ['+79990000001'],
  },
  payload: { sender: 'MIRTEA', text: 'Hello {firstName|there}, your order is ready.' },
};
const RECURRING = {
  ...BULK,
  title: 'Tea of the week',
  recipient: { include: ['01930000-0000-7000-8000-0000000000c1'] },
  time: '09:30',
  timeZone: 'Europe/Moscow',
};
const MESSAGES: Examples = {
  single: {
    summary: 'One message',
    value: {
      type: 'sms',
      recipient: '+79990000000',
      payload: { sender: 'MIRTEA', text: 'Your code is 1234' },
    },
  },
  commas: {
    summary: 'Several phone numbers in one string',
    value: { ...BULK, recipient: '+79990000000, +79990000001' },
  },
  fallback: {
    summary: 'Viber with an SMS fallback after two minutes without delivery',
    value: {
      ...BULK,
      type: 'viber',
      recipient: ['+79990000000', '+79990000001'],
      fallbacks: [
        {
          type: 'sms',
          payload: BULK.payload,
          options: {
            onStatus: ['failed'],
            onTimeout: { timeout: 120, except: ['delivered', 'seen'] },
          },
        },
      ],
    },
  },
  scheduled: {
    summary: 'A contact list at a scheduled time, spread over four hours',
    value: {
      ...BULK,
      recipient: { include: ['01930000-0000-7000-8000-0000000000c1'] },
      schedule: { delay: '2030-12-24T09:00:00.000Z', until: 4 },
    },
  },
  full: {
    summary: 'All options',
    value: {
      ...BULK,
      fallbacks: [
        { type: 'viber', payload: BULK.payload, options: { onIncomingPayload: { text: 'yes' } } },
      ],
      schedule: { delay: 0, until: '2030-12-24T12:00:00.000Z' },
      options: { title: 'Autumn' },
      callbackData: 'order 17',
    },
  },
};

export type Examples = Record<string, { summary: string; value: unknown }>;
/** Examples of request bodies with several forms, by operation. */
export const EXAMPLES: Record<string, Examples> = {
  'sendings.create': MESSAGES,
  'sendings.estimate': MESSAGES,
  'recurringSendings.create': {
    weekly: {
      summary: 'Every Monday and Thursday, twelve times',
      value: { ...RECURRING, frequency: 'weekly', weekdays: [1, 4], times: 12 },
    },
    monthly: {
      summary: 'On the last day of every month of a year, spread over four hours',
      value: {
        ...RECURRING,
        frequency: 'monthly',
        day: 31,
        from: '2030-01-01',
        until: '2030-12-31',
        schedule: { until: 4 },
      },
    },
  },
  'contacts.removeMany': {
    chosen: {
      summary: 'Contacts by their ids',
      value: { ids: ['01930000-0000-7000-8000-0000000000a1'] },
    },
    found: {
      summary: 'All contacts of a list with a tag',
      value: { where: { ListId: '01930000-0000-7000-8000-0000000000c1', tag: 'gone' } },
    },
  },
  'contacts.tag': {
    chosen: {
      summary: 'Contacts by their ids',
      value: { ids: ['01930000-0000-7000-8000-0000000000a1'], add: ['vip'], remove: ['new'] },
    },
    found: {
      summary: 'All contacts of a list with a tag',
      value: {
        where: { ListId: '01930000-0000-7000-8000-0000000000c1', tag: 'new' },
        remove: ['new'],
      },
    },
  },
  'contacts.move': {
    chosen: {
      summary: 'Contacts by their ids, which stay where they are as well',
      value: {
        ids: ['01930000-0000-7000-8000-0000000000a1'],
        to: '01930000-0000-7000-8000-0000000000c2',
        copy: true,
      },
    },
    found: {
      summary: 'All contacts of a list with a tag',
      value: {
        where: { ListId: '01930000-0000-7000-8000-0000000000c1', tag: 'customer' },
        to: '01930000-0000-7000-8000-0000000000c2',
      },
    },
  },
  'pushDevices.create': {
    app: {
      summary: 'An app with a token of Firebase Cloud Messaging',
      value: {
        phone: '+79161234567',
        title: 'Pixel 9',
        token: 'dQw4w9WgXcQ:APA91bHPRgkF3JUikC4ENAHEeMrd41Zxv3hVZjC9KtT8OvPVGJ',
      },
    },
    browser: {
      summary: 'A browser with a subscription',
      value: {
        phone: '+79161234567',
        title: 'Firefox',
        subscription: {
          endpoint: 'https://push.example.net/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV',
          expirationTime: null,
          keys: {
            p256dh:
              'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
            auth: 'BTBZMqHH6r4Tts7J_aSIgg',
          },
        },
      },
    },
  },
};
