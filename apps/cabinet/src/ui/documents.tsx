import { Anchor } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { frontend } from '../core/frontend.ts';

const DOCUMENTS = (['offer', 'privacy'] as const).flatMap((name) => {
  const url = frontend.documents[name];
  return url ? [{ name, url }] : [];
});

export const hasDocuments = DOCUMENTS.length > 0;

/** Links to the legal documents of this installation. */
export function Documents() {
  const { t } = useTranslation();
  return DOCUMENTS.map(({ name, url }) => (
    <Anchor key={name} href={url} target="_blank" inherit c="inherit" underline="always">
      {t(`documents.${name}`)}
    </Anchor>
  ));
}

/** Whose product this is. */
export function Copyright() {
  return (
    <span>
      © {new Date().getFullYear()} {frontend.title}
    </span>
  );
}
