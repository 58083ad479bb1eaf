import { Transform } from 'class-transformer';
import { IsUrl, Matches, ValidateBy } from 'class-validator';
import { SENDING_TYPES } from '@heliograph/domain';
import { parseAllowedHosts } from './http/outbound.ts';

// Decorators of settings: how the text of an environment variable is read, and what it may be.

const ORIGIN = /^(?:\*|https?:\/\/[a-z0-9.:[\]-]{1,255})$/;

export const Flag = () =>
  Transform(({ value }) => value === true || value === '1' || value === 'true');
export const Numeric = () =>
  Transform(({ value }) => (value === undefined || value === '' ? undefined : Number(value)));

export const Types = () =>
  Transform(({ value }) => {
    if (typeof value !== 'string') return value as unknown;
    if (value === 'all') return SENDING_TYPES;
    return value === 'none' ? [] : value.split(',').map((type) => type.trim());
  });

export const ListOf = () =>
  Transform(({ value }) =>
    typeof value === 'string' ? value.split(',').map((item) => item.trim()) : (value as unknown),
  );

export const Ports = () =>
  Transform(({ value }) =>
    typeof value === 'string' ? value.split(',').map(Number) : (value as unknown),
  );

export const Origins = () => (target: object, key: string) => {
  ListOf()(target, key);
  Matches(ORIGIN, { each: true })(target, key);
};

export const Web = () =>
  IsUrl({ protocols: ['http', 'https'], require_protocol: true, require_tld: false });

export const AllowedHosts = () =>
  ValidateBy({
    name: 'allowedHosts',
    validator: {
      validate: (value) => typeof value === 'string' && parseAllowedHosts(value).wrong.length === 0,
      defaultMessage: (args) =>
        `$property has entries that are not a host name, address or network: ${parseAllowedHosts(String(args?.value)).wrong.join(', ')}`,
    },
  });
