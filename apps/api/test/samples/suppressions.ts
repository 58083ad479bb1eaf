import {
  emailSettings,
  frequencyCap,
  pushDevices,
  quietHours,
  suppressions,
  type OptOutSettings,
  type QuietHoursInput,
} from '@heliograph/contract';
import type * as z from 'zod';
import { PHONE, type Scene } from '../scene.ts';
import { byId, creating, listing, type SamplesOf } from './sample.ts';

const suppression = async ({ owner }: Scene) =>
  (await owner.api(suppressions.create, { body: { address: PHONE } })).id;

const settings: Omit<OptOutSettings, 'OwnerId'> = {
  stopWords: ['STOP'],
  startWords: ['START'],
  covers: 'channel',
  isConfirmed: true,
  stopText: 'Goodbye',
  startText: 'Hello',
  type: null,
  sender: null,
};

const hours: z.input<typeof QuietHoursInput> = {
  isActive: true,
  from: 1260,
  until: 540,
  groups: ['advertising'],
  singles: false,
  timeZone: 'Europe/Moscow',
};

const device = { phone: PHONE, token: 'dQw4w9WgXcQ:APA91bHPRgkF3JUikC4ENAHEeMrd41Zxv' };
const registered = async ({ owner }: Scene) =>
  (await owner.api(pushDevices.create, { body: device })).id;

export const SUPPRESSIONS: SamplesOf<
  'suppressions' | 'quietHours' | 'frequencyCap' | 'emailSettings' | 'pushDevices'
> = {
  pushDevices: {
    find: (s) => listing('push_devices', registered(s)),
    create: async (s) => creating(s, { body: device }),
    remove: (s) => byId('push_devices', registered(s)),
  },
  quietHours: {
    get: async (s) => creating(s, {}),
    update: async (s) => {
      await s.owner.api(quietHours.update, { body: hours });
      return {
        call: { body: { ...hours, isActive: false } },
        row: ['quiet_hours', s.owner.id, 'owner_id'],
        others: 'own',
      };
    },
  },
  frequencyCap: {
    get: async (s) => creating(s, {}),
    update: async (s) => {
      const cap = { isActive: true, messages: 3, days: 7, singles: false };
      await s.owner.api(frequencyCap.update, { body: cap });
      return {
        call: { body: { ...cap, messages: 4 } },
        row: ['frequency_caps', s.owner.id, 'owner_id'],
        others: 'own',
      };
    },
  },
  emailSettings: {
    get: async (s) => creating(s, {}),
    update: async (s) => {
      await s.owner.api(emailSettings.update, { body: { tellsOpened: true } });
      return {
        call: { body: { tellsOpened: false } },
        row: ['email_settings', s.owner.id, 'owner_id'],
        others: 'own',
      };
    },
  },
  suppressions: {
    find: (s) => listing('suppressions', suppression(s)),
    create: async (s) => creating(s, { body: { address: PHONE } }),
    import: async (s) => creating(s, { body: { addresses: [PHONE] } }),
    remove: (s) => byId('suppressions', suppression(s)),
    settings: async (s) => creating(s, {}),
    configure: async (s) => {
      await s.owner.api(suppressions.configure, { body: settings });
      return {
        call: { body: { ...settings, stopText: 'Until soon' } },
        row: ['opt_out_settings', s.owner.id, 'owner_id'],
        others: 'own',
      };
    },
  },
};
