import { Alert, Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';

interface Voices {
  id: string;
  synthesizer: string;
  name: string;
}

/** By synthesizer. A voice that only the carrier knows, from a template, is offered as it is. */
export function voiceOptions(
  voices: Voices[],
  current: string | null,
  groupName: (number: number) => string,
) {
  const groups = [...Map.groupBy(voices, (voice) => voice.synthesizer).values()];
  const isKnown = !current || voices.some(({ id }) => id === current);
  return [
    ...(isKnown ? [] : [{ value: current, label: current }]),
    ...groups.map((items, i) => ({
      group: groupName(i + 1),
      items: items.map(({ id, name }) => ({
        value: id,
        label: name[0]!.toUpperCase() + name.slice(1),
      })),
    })),
  ];
}

/** The tariff does not count the seconds of a call, so that nothing can be played in it. */
export function NoRecordings({ onRemove }: { onRemove?: () => void }) {
  const { t } = useTranslation();
  return (
    <Alert color="yellow" role="alert">
      {t('send:noVoiceTariff')}
      {onRemove && (
        <Button mt="xs" size="xs" variant="default" display="block" onClick={onRemove}>
          {t('send:removeFile', { title: t('send:field.audio') })}
        </Button>
      )}
    </Alert>
  );
}
