import { creating, type SamplesOf } from './sample.ts';

export const LOOKUPS: SamplesOf<'lookups'> = {
  lookups: {
    companies: async (s) => creating(s, { body: { query: '7700000009' } }),
    banks: async (s) => creating(s, { body: { query: '044525' } }),
    names: async (s) => creating(s, { body: { query: 'Мирская Анна' } }),
  },
};
