import { Switch, Text, type SwitchProps } from '@mantine/core';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../core/errors.ts';

interface OptimisticSwitchProps extends Omit<SwitchProps, 'checked' | 'onChange' | 'error'> {
  checked: boolean;
  /** The call. Its mutation has `showsErrors`: the switch shows the refusal. */
  save: (checked: boolean) => Promise<unknown>;
}

/** A switch that shows the new state while it is being saved, and returns to the old one with a message if that fails. */
export function OptimisticSwitch({ checked, save, ...props }: OptimisticSwitchProps) {
  const { t } = useTranslation();
  /** What is being saved; null when the switch shows the saved state. */
  const [wanted, setWanted] = useState<boolean | null>(null);
  const [error, setError] = useState<unknown>(null);
  const latest = useRef(checked);
  const isSaving = useRef(false);

  /** One call at a time. Further clicks change only what is saved next. */
  const run = async (): Promise<void> => {
    if (isSaving.current) return;
    isSaving.current = true;
    let saved = checked;
    try {
      while (latest.current !== saved) {
        const next = latest.current;
        await save(next);
        saved = next;
      }
    } catch (caught) {
      latest.current = saved;
      setError(caught);
    } finally {
      isSaving.current = false;
      setWanted(null);
    }
  };
  return (
    <div>
      <Switch
        {...props}
        checked={wanted ?? checked}
        onChange={(event) => {
          latest.current = event.currentTarget.checked;
          setWanted(latest.current);
          setError(null);
          void run();
        }}
      />
      <Text size="xs" c="var(--mantine-color-error)" role="alert" mt={error ? 4 : 0}>
        {!!error && errorText(t, error)}
      </Text>
    </div>
  );
}
