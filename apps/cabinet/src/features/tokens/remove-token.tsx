import type { Token } from '@heliograph/contract';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../core/use-formats.ts';
import { RemoveDialog } from '../../ui/remove-dialog.tsx';
import { useRemoveToken } from './tokens.api.ts';

interface RemoveTokenProps {
  row: Token | null;
  onClose: () => void;
}

export function RemoveToken(props: RemoveTokenProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <RemoveDialog
      {...props}
      words={({ description, createdAt }) => ({
        question: t('tokens:removeQuestion', { description }),
        action: t('tokens:remove', { description }),
        text: t('tokens:removeText', { time: formats.dateTime(createdAt) }),
      })}
      change={useRemoveToken()}
    />
  );
}
