import { useTranslation } from 'react-i18next';
import { fieldText, type FieldError } from '../errors.ts';

/** Why a field was refused, in the language of the moment. */
export function RefusedText({ refused }: { refused: readonly FieldError[] }) {
  const { t } = useTranslation();
  return fieldText(t, refused);
}
