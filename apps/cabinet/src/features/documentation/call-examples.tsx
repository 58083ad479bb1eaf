import { CALL_LANGUAGES, exampleOf, readHttpCall, type CallLanguage } from '@heliograph/domain';
import { Tabs } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useStored } from '../../core/browser-storage.ts';
import { CodePane } from '../../ui/code-pane.tsx';
import type { OfferedCall } from './offered-calls.ts';

const NAMES: Record<CallLanguage, string> = {
  curl: 'curl',
  typescript: 'TypeScript',
  php: 'PHP',
  python: 'Python',
  '1c': '1C',
};

const isLanguage = (name: string | null): name is CallLanguage => name !== null && name in NAMES;

/** A call as programs. The language is that in which the reader has read the last one. */
export function CallExamples({ call: { title, text } }: { call: OfferedCall }) {
  const { t, i18n } = useTranslation();
  const [stored, setStored] = useStored('heliograph.exampleLanguage');
  const language = isLanguage(stored) ? stored : 'curl';
  return (
    <Tabs value={language} onChange={setStored} keepMounted={false} lang={i18n.language}>
      <Tabs.List mb="xs" aria-label={t('documentation:call.languages')}>
        {CALL_LANGUAGES.map((name) => (
          <Tabs.Tab key={name} value={name}>
            {NAMES[name]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {CALL_LANGUAGES.map((name) => (
        <Tabs.Panel key={name} value={name}>
          {name === language && (
            <CodePane
              label={`${title}, ${NAMES[name]}`}
              hint={NAMES[name]}
              code={exampleOf(name, location.origin, readHttpCall(text))}
              maxHeight={480}
            />
          )}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
