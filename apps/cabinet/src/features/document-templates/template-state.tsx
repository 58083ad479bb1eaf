import type { DocumentTemplate } from '@heliograph/contract';
import { useTranslation } from 'react-i18next';
import { IconCheck, IconPause } from '../../ui/icons.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';

const ACTIVE = { color: 'green', icon: IconCheck };
const DRAFT = { color: 'gray', icon: IconPause };

/** Whether new documents of the company are made with the template. */
export function TemplateState({ row }: { row: DocumentTemplate }) {
  const { t } = useTranslation();
  const { isActive } = row;
  return (
    <StatusBadge
      appearance={isActive ? ACTIVE : DRAFT}
      label={t(isActive ? 'documentTemplates:active' : 'documentTemplates:inactive')}
    />
  );
}
