import { useTranslation } from 'react-i18next';
import { IconAlertTriangle, IconCheck } from './icons.ts';

export type SectionState = 'done' | 'error' | null;

/** Whether a section is complete or has errors, as an icon and as a text for screen readers. */
export function SectionMark({ state }: { state: SectionState }) {
  const { t } = useTranslation();
  if (!state) return null;
  const isDone = state === 'done';
  const Mark = isDone ? IconCheck : IconAlertTriangle;
  return (
    <>
      <Mark
        size={18}
        aria-hidden
        style={{ flex: 'none' }}
        color={isDone ? 'var(--mantine-color-green-text)' : 'var(--mantine-color-error)'}
      />
      <span className="visually-hidden"> {t(`common:section.${state}`)}</span>
    </>
  );
}
