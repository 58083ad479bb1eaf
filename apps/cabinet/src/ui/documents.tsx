import { Anchor } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { frontend, useShownBrand } from '../core/frontend.ts';

const NAMES = ['offer', 'privacy'] as const;

/** Before the sign-in. */
export const hasDocuments = NAMES.some((name) => frontend.documents[name]);

/** Links to the legal documents of the brand. */
export function Documents() {
  const { t } = useTranslation();
  const { documents } = useShownBrand();
  return NAMES.map((name) => {
    const url = documents[name];
    return (
      url && (
        <Anchor key={name} href={url} target="_blank" inherit c="inherit" underline="always">
          {t(`documents.${name}`)}
        </Anchor>
      )
    );
  });
}

/** Whose product this is. */
export function Copyright() {
  const { title } = useShownBrand();
  return (
    <span>
      © {new Date().getFullYear()} {title}
    </span>
  );
}
