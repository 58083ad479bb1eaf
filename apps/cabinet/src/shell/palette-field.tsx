import { TextInput, type TextInputProps } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { IconSearch } from '../ui/icons.ts';

interface PaletteFieldProps extends TextInputProps {
  text: string;
  onText: (text: string) => void;
}

/** The field of the palette. It has the focus as soon as it is drawn, before the next key. */
export function PaletteField({ text, onText, ...others }: PaletteFieldProps) {
  const { t } = useTranslation();
  return (
    <TextInput
      size="md"
      aria-label={t('shell:palette.open')}
      placeholder={t('shell:palette.placeholder')}
      leftSection={<IconSearch size={18} aria-hidden />}
      value={text}
      onChange={(event) => onText(event.currentTarget.value)}
      autoFocus
      data-autofocus
      {...others}
    />
  );
}
