import type { Sending } from '@heliograph/contract';
import { Anchor, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Blurred } from '../../ui/blurred.tsx';
import type { Fact } from '../../ui/facts.tsx';
import { FileLink } from '../../ui/file-link.tsx';

const FILES = ['image', 'file', 'video', 'audio'] as const;
const WEB = /^https?:/i;

/** The parts of a message besides its text. Files are loaded only when the user opens them. */
export function usePartFacts(): (payload: Sending['payload']) => Fact[] {
  const { t } = useTranslation();
  const link = (to: string, words: string) => (
    <Anchor href={to} target="_blank" rel="noopener noreferrer" inherit>
      {words}
    </Anchor>
  );
  return (payload) => {
    const pressed = payload.button
      ? [{ text: payload.button.text, action: payload.button.url }]
      : (payload.buttons ?? []);
    const buttons = pressed.map(({ text, action }) => (
      <Text key={text + action} size="sm">
        {text}: {WEB.test(action) ? link(action, action) : action}
      </Text>
    ));
    const blurredFact = (label: string, value: Fact['value']) => ({
      label,
      value: value && <Blurred what={label}>{value}</Blurred>,
    });
    return [
      blurredFact(t('sendings:part.subject'), payload.subject),
      ...FILES.map((kind) => {
        const id = payload[kind];
        return blurredFact(
          t(`sendings:part.${kind}`),
          id && (
            <FileLink fileId={id} inherit>
              {t('sendings:part.open')}
            </FileLink>
          ),
        );
      }),
      { label: t('sendings:part.voice'), value: payload.tts },
      blurredFact(t('sendings:part.buttons'), buttons.length > 0 && buttons),
    ];
  };
}
