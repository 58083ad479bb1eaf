import { creating, MOSCOW, type SamplesOf } from './sample.ts';

export const SERVICES: SamplesOf<'geocode' | 'health' | 'textGenerator' | 'tts'> = {
  geocode: { lookup: async (s) => creating(s, { body: MOSCOW }) },
  health: {
    get: async ({ owner }) => ({ call: {}, row: ['users', owner.id], others: 'anything' }),
    live: async ({ owner }) => ({ call: {}, row: ['users', owner.id], others: 'anything' }),
    ready: async ({ owner }) => ({ call: {}, row: ['users', owner.id], others: 'anything' }),
  },
  textGenerator: {
    generate: async (s) =>
      creating(s, {
        body: { channel: 'sms', formValues: { messageTheme: 'Tea', occasion: 'Spring' } },
      }),
  },
  tts: {
    generate: async (s) => creating(s, { body: { tts: 'polly:maxim', text: 'Tea is ready' } }),
  },
};
