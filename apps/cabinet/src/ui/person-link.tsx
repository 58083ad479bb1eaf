import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useMayOpen, useSettings } from '../core/settings.ts';

interface PersonLinkProps {
  /** A phone number or an e-mail address; no link to others, such as the word of an erased person. */
  address: string;
  /** The account that knows the person, where it may be another one. */
  OwnerId?: string;
  children: ReactNode;
}

const IS_ADDRESS = /^(?:\+\d+|[^@\s]+@[^@\s]+)$/;

/** To what is known of a person, and the messages in both directions. */
export function PersonLink({ address, OwnerId, children }: PersonLinkProps) {
  const mayOpen = useMayOpen();
  const { session } = useSettings();
  if (!IS_ADDRESS.test(address) || !mayOpen('/contacts/person/:address')) return children;
  const isOther = OwnerId !== undefined && OwnerId !== session.OwnerId;
  const to = `/contacts/person/${encodeURIComponent(address)}${isOther ? `?owner=${OwnerId}` : ''}`;
  return (
    <Anchor component={Link} to={to} inherit>
      {children}
    </Anchor>
  );
}
